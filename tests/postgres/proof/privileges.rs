//! What the account itself may do.

use super::{Case, accepted, check, refused};
use crate::servers::postgres::Role::{Nolock, Owner, Reader, Superuser, Writer};
use dbeast::reason::DatabaseReason::{TableLockNotPermitted, TableNotPermitted};
use dbeast::value::ReadLock::{Full, Weak};

pub(super) const CASES: &[Case] = &[
    accepted("the owner", "CREATE TABLE t (a int)").asks(&[(Owner, Full), (Owner, Weak)]),
    accepted("the superuser", "CREATE TABLE t (a int)").asks(&[(Superuser, Full), (Superuser, Weak)]),
    refused("the full lock of an account that may only read", "CREATE TABLE t (a int)", &[TableLockNotPermitted])
        .asks(&[(Reader, Full)]),
    refused("the full lock of an account that may read and insert", "CREATE TABLE t (a int)", &[TableLockNotPermitted])
        .asks(&[(Nolock, Full)]),
    accepted("the weaker lock of an account that may only read", "CREATE TABLE t (a int)").asks(&[(Reader, Weak), (Nolock, Weak)]),
    accepted("the full lock with UPDATE only", "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_writer; GRANT SELECT, UPDATE ON t TO t_writer")
        .asks(&[(Writer, Full)]),
    accepted("the full lock with DELETE only", "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_writer; GRANT SELECT, DELETE ON t TO t_writer")
        .asks(&[(Writer, Full)]),
    accepted("the full lock with TRUNCATE only", "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_writer; GRANT SELECT, TRUNCATE ON t TO t_writer")
        .asks(&[(Writer, Full)]),
    refused("the full lock with UPDATE of a column only",
        "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_writer; GRANT SELECT, UPDATE (a) ON t TO t_writer",
        &[TableLockNotPermitted])
        .asks(&[(Writer, Full)]),
    refused("an account that may do everything but read",
        "CREATE TABLE t (a int); REVOKE SELECT ON t FROM t_writer, t_reader", &[TableNotPermitted]),
    refused("an account that may do nothing",
        "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_writer, t_reader", &[TableNotPermitted]),
    refused("an account that may read some columns",
        "CREATE TABLE t (a int, b int); REVOKE ALL ON t FROM t_writer, t_reader; GRANT SELECT (a) ON t TO t_writer, t_reader; \
         GRANT UPDATE ON t TO t_writer",
        &[TableNotPermitted]),
    refused("an account that may not enter the schema", "CREATE TABLE t (a int)", &[TableNotPermitted])
        .finally("REVOKE USAGE ON SCHEMA s FROM t_writer, t_reader"),
    accepted("rights of a group",
        "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_reader; GRANT SELECT ON t TO pg_monitor")
        .finally("GRANT pg_monitor TO t_nolock")
        .asks(&[(Nolock, Weak)]),
    accepted("rights of everybody", "CREATE TABLE t (a int); REVOKE ALL ON t FROM t_reader; GRANT SELECT ON t TO public")
        .asks(&[(Reader, Weak)]),
    accepted("a view over a table that only its owner may read",
        "CREATE TABLE u (a int); REVOKE ALL ON u FROM t_writer, t_reader; CREATE VIEW v AS SELECT a FROM u"),
    accepted("a view over a table of a schema that only its owner may enter",
        "CREATE SCHEMA inner_one; REVOKE ALL ON SCHEMA inner_one FROM t_writer, t_reader;
         CREATE TABLE inner_one.u (a int); CREATE VIEW v AS SELECT a FROM inner_one.u"),
    refused("a view with the rights of who asks",
        "CREATE TABLE u (a int); REVOKE SELECT ON u FROM t_writer, t_reader;
         CREATE VIEW v WITH (security_invoker) AS SELECT a FROM u", &[TableNotPermitted]),
    refused("a view whose owner may not read",
        "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u; REVOKE SELECT ON u FROM t_owner",
        &[TableNotPermitted]),
    refused("the full lock of a view for an account that may only read",
        "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u", &[TableLockNotPermitted])
        .asks(&[(Reader, Full)]),
    refused("a view that the account may not read",
        "CREATE TABLE u (a int); CREATE VIEW v AS SELECT a FROM u; REVOKE SELECT ON v FROM t_writer, t_reader",
        &[TableNotPermitted]),
    accepted("a materialized view, which nobody can lock otherwise", "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a")
        .asks(&[(Reader, Full), (Reader, Weak), (Writer, Full)]),
    refused("a materialized view that the account may not read",
        "CREATE MATERIALIZED VIEW t AS SELECT 1 AS a; REVOKE ALL ON t FROM t_writer, t_reader", &[TableNotPermitted]),
];

#[test]
fn each_case_is_judged_rightly() {
    check("privileges", CASES);
}
