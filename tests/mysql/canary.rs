//! A function that writes, wherever a schema can hold one: nothing that the driver does for a read calls it.

use super::common::{any_read, driver, table, task};
use crate::servers::Client as _;
use crate::servers::mysql::{Database, Kind, MysqlClient, Role};
use dbeast::drivers::{Gate, TableWrite};

/// A position: the thing that is asked about, the statements that put the canary there, and one that makes it sing.
struct Position {
    name: &'static str,
    made_by: &'static [&'static str],
    /// A control: with this the canary sings, so the position is real. None if it sings for nobody yet.
    sings_by: Option<&'static str>,
}

/// `sing()` writes one row into `sung` and returns 1; `p_t` is the table or view of the position.
const POSITIONS: &[Position] = &[
    Position {
        name: "view_column",
        made_by: &["CREATE VIEW p_view_column AS SELECT sing() AS a"],
        sings_by: Some("SELECT * FROM p_view_column"),
    },
    Position {
        name: "view_filter",
        made_by: &["CREATE VIEW p_view_filter AS SELECT id AS a FROM parents WHERE sing() = 1"],
        sings_by: Some("SELECT * FROM p_view_filter"),
    },
    Position {
        name: "view_materialised",
        made_by: &[
            "CREATE ALGORITHM=TEMPTABLE VIEW p_view_materialised AS SELECT sing() AS a FROM parents",
        ],
        sings_by: Some("SELECT * FROM p_view_materialised"),
    },
    Position {
        name: "view_of_view",
        made_by: &[
            "CREATE VIEW p_inner AS SELECT sing() AS a",
            "CREATE VIEW p_view_of_view AS SELECT a FROM p_inner",
        ],
        sings_by: Some("SELECT * FROM p_view_of_view"),
    },
    Position {
        name: "view_in_subquery",
        made_by: &[
            "CREATE VIEW p_view_in_subquery AS SELECT id AS a FROM parents WHERE id IN (SELECT sing())",
        ],
        sings_by: Some("SELECT * FROM p_view_in_subquery"),
    },
    Position {
        name: "insert_trigger",
        made_by: &[
            "CREATE TABLE p_insert_trigger (a int)",
            "CREATE TRIGGER t1 BEFORE INSERT ON p_insert_trigger FOR EACH ROW SET NEW.a = sing()",
        ],
        sings_by: Some("INSERT INTO p_insert_trigger VALUES (5)"),
    },
    Position {
        name: "update_trigger",
        made_by: &[
            "CREATE TABLE p_update_trigger (a int)",
            "INSERT INTO p_update_trigger VALUES (1)",
            "CREATE TRIGGER t2 AFTER UPDATE ON p_update_trigger FOR EACH ROW SET @x = sing()",
        ],
        sings_by: Some("UPDATE p_update_trigger SET a = 2"),
    },
    Position {
        name: "delete_trigger",
        made_by: &[
            "CREATE TABLE p_delete_trigger (a int)",
            "INSERT INTO p_delete_trigger VALUES (1)",
            "CREATE TRIGGER t3 BEFORE DELETE ON p_delete_trigger FOR EACH ROW SET @x = sing()",
        ],
        sings_by: Some("DELETE FROM p_delete_trigger"),
    },
    Position {
        name: "trigger_of_a_child",
        made_by: &[
            "CREATE TABLE p_trigger_of_a_child (a int primary key)",
            "CREATE TABLE child (a int, FOREIGN KEY (a) REFERENCES p_trigger_of_a_child(a) ON DELETE CASCADE)",
            "CREATE TRIGGER t4 BEFORE DELETE ON child FOR EACH ROW SET @x = sing()",
        ],
        sings_by: Some(
            "INSERT INTO p_trigger_of_a_child VALUES (1); INSERT INTO child VALUES (1); DELETE FROM child",
        ),
    },
    Position {
        name: "procedure",
        made_by: &["CREATE TABLE p_procedure (a int)", "CREATE PROCEDURE p() SELECT sing()"],
        sings_by: None,
    },
    Position {
        name: "event",
        made_by: &[
            "CREATE TABLE p_event (a int)",
            "CREATE EVENT e ON SCHEDULE EVERY 1 DAY STARTS '2037-01-01' DO SELECT sing()",
        ],
        sings_by: None,
    },
    Position {
        name: "function_of_a_listed_name",
        made_by: &[
            "CREATE TABLE p_function_of_a_listed_name (a int)",
            "CREATE FUNCTION count_all() RETURNS int MODIFIES SQL DATA RETURN sing()",
        ],
        sings_by: Some("SELECT count_all()"),
    },
];

/// Positions that both servers refuse themselves, which is why the proof need not look there.
const REFUSED_BY_THE_SERVER: &[&str] = &[
    "CREATE TABLE r (a int, b int AS (sing()) VIRTUAL)",
    "CREATE TABLE r (a int, b int AS (sing()) STORED)",
    "CREATE TABLE r (a int CHECK (sing() = 1))",
    "CREATE TABLE r (a int, CONSTRAINT c CHECK (sing() = a))",
    "CREATE TABLE r (a int DEFAULT (sing()))",
    "CREATE TABLE r (a int, KEY ((sing())))",
    "CREATE TABLE r (a int) PARTITION BY HASH (sing())",
    "CREATE TABLE r (a datetime ON UPDATE sing())",
    "ALTER TABLE parents ADD COLUMN b int DEFAULT (sing() + 1)",
    "ALTER TABLE parents ADD CHECK (sing() = id)",
];

fn songs(root: &mut MysqlClient) -> usize {
    root.must("SELECT * FROM sung").rows.len()
}

fn stage(kind: Kind) -> (Database, MysqlClient) {
    let database = Database::shared(kind);
    let mut root = database.root();
    for sql in [
        "CREATE TABLE parents (id int primary key)",
        "INSERT INTO parents VALUES (1)",
        "CREATE TABLE sung (x int)",
        "CREATE FUNCTION sing() RETURNS int DETERMINISTIC MODIFIES SQL DATA BEGIN INSERT INTO sung VALUES (1); RETURN 1; END",
    ] {
        root.must(sql);
    }
    (database, root)
}

pub(crate) async fn no_read_makes_it_sing(kind: Kind) {
    let (database, mut root) = stage(kind);
    for position in POSITIONS {
        position.made_by.iter().for_each(|sql| drop(root.must(sql)));
        if let Some(control) = position.sings_by {
            let before = songs(&mut root);
            control.split("; ").for_each(|sql| drop(root.must(sql)));
            assert!(songs(&mut root) > before, "{}: the control is silent", position.name);
        }
        root.must("DELETE FROM sung");
        for role in [Role::Owner, Role::Reader] {
            let driver = driver(&database, role);
            let table = table(&database, &format!("p_{}", position.name));
            let described = driver.describe_table(&table, None, &task()).await;
            let read = driver.read(&any_read(&table), None, &task()).await;
            assert_eq!(described.is_ok(), read.is_ok(), "{}", position.name);
            assert_eq!(read.is_ok(), !position.name.starts_with("view"), "{}", position.name);
            driver.list_tables(&task()).await.expect("a list");
            for sql in ["INSERT INTO {t} (a) VALUES (7)", "UPDATE {t} SET a = 8", "DELETE FROM {t}"]
            {
                let sql = sql.replace("{t}", &table.to_string());
                let write = TableWrite { sql, table: table.clone(), columns: Vec::new() };
                let estimated = driver.estimate(&write, &task()).await;
                assert!(estimated.is_ok() || role == Role::Reader || read.is_err());
            }
        }
        assert_eq!(songs(&mut root), 0, "{}: it sang", position.name);
    }
}

pub(crate) async fn the_server_keeps_it_out_of_tables(kind: Kind) {
    let (_, mut root) = stage(kind);
    for sql in REFUSED_BY_THE_SERVER {
        assert!(root.ask(sql).is_err(), "{sql}: the proof must look there");
    }
    assert_eq!(songs(&mut root), 0);
}

/// Triggers act in a table write, as the person is told; nothing else of the canary does.
pub(crate) async fn a_write_sings_by_its_triggers_only(kind: Kind) {
    let (database, mut root) = stage(kind);
    for position in POSITIONS {
        position.made_by.iter().for_each(|sql| drop(root.must(sql)));
    }
    root.must("CREATE TABLE p_plain (a int)");
    let driver = driver(&database, Role::Owner);
    for (name, sql, count) in [
        ("p_plain", "INSERT INTO {t} (a) VALUES (7)", 0),
        ("p_plain", "UPDATE {t} SET a = 8", 0),
        ("p_plain", "DELETE FROM {t}", 0),
        ("p_insert_trigger", "INSERT INTO {t} (a) VALUES (7)", 1),
        ("p_insert_trigger", "UPDATE {t} SET a = 8", 0),
        ("p_update_trigger", "UPDATE {t} SET a = 8", 1),
        ("p_delete_trigger", "DELETE FROM {t}", 1),
        // The servers call no trigger for what a foreign key deletes.
        ("p_trigger_of_a_child", "DELETE FROM {t}", 0),
        ("p_procedure", "INSERT INTO {t} (a) VALUES (7)", 0),
        ("p_event", "INSERT INTO {t} (a) VALUES (7)", 0),
    ] {
        root.must("DELETE FROM sung");
        let table = table(&database, name);
        let sql = sql.replace("{t}", &table.to_string());
        let write = TableWrite { sql, table, columns: Vec::new() };
        let written = driver.write_table(&write, Gate::open(), &task()).await;
        written.unwrap_or_else(|error| panic!("{}: {error:?} {}", write.sql, error.cause()));
        assert_eq!(songs(&mut root), count, "{}", write.sql);
    }
}
