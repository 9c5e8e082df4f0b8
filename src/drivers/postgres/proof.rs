//! The proof of all relations of a statement: each by itself, and what views read, recursively.

use super::catalog::{self, Catalogs, NAME_BYTES_MAX};
use super::connection::{CatalogRow, Connection};
use super::relation::{self, Kind, Relation, oid, text};
use super::rule::{self, Named};
use crate::drivers::{DriverError, Pinned};
use crate::reason::DatabaseReason as Reason;
use crate::value::TableName;
use std::collections::BTreeSet;

/// Views on views, at most (contract, "Tools").
const LEVELS_MAX: usize = 8;
/// Relations behind all views of a statement, at most. Ours.
const RELATIONS_MAX: usize = 64;

/// The proven relations of a statement.
#[derive(Debug)]
pub(super) struct Proof {
    /// In the order of the names that were asked for.
    pub(super) relations: Vec<Relation>,
    /// What is behind the views, and their rules.
    pub(super) behind: Vec<Behind>,
}

/// What is behind one of the named views.
#[derive(Debug)]
pub(super) struct Behind {
    /// The OID of the view.
    pub(super) view: u32,
    /// Everything that the proof saw there, for the identity.
    pub(super) seen: Vec<CatalogRow>,
    /// Whether there is a relation that a lock of the view does not hold.
    pub(super) has_materialized: bool,
}

impl Proof {
    /// Whether LOCK TABLE holds everything that was proven.
    pub(super) fn is_all_lockable(&self) -> bool {
        let is_table = |relation: &Relation| relation.kind != Kind::MaterializedView;
        self.relations.iter().all(is_table)
            && self.behind.iter().all(|behind| !behind.has_materialized)
    }

    /// The proven relation of this name.
    pub(super) fn find(&self, table: &TableName) -> Option<&Relation> {
        self.relations.iter().find(|relation| relation.table == *table)
    }
}

/// Names that no relation can have: the server would shorten them to another one.
pub(super) fn check_name(table: &TableName) -> Result<(), DriverError> {
    let is_usable = |name: &str| (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.contains('\0');
    if is_usable(&table.schema) && is_usable(&table.name) {
        Ok(())
    } else {
        Err(DriverError::refused(Reason::TableUnknown))
    }
}

/// Asks and judges. Further questions follow only if there are views.
pub(super) async fn prove(
    connection: &mut Connection,
    tables: &[&TableName],
    pinned: Option<&Pinned>,
) -> Result<Proof, DriverError> {
    Catalogs::ask(connection, tables)?;
    connection.sync();
    connection.send().await?;
    let catalog = Catalogs::read(connection, tables.len()).await?;
    connection.finish().await?;
    complete(connection, tables, &catalog, pinned).await
}

/// Judges what was read, and proves what is behind the views. A pinned table that is gone, or of no supported kind
/// any more, is another one, too: what was allowed for it ends.
pub(super) async fn complete(
    connection: &mut Connection,
    tables: &[&TableName],
    catalog: &Catalogs,
    pinned: Option<&Pinned>,
) -> Result<Proof, DriverError> {
    let is_pinned = |table: &TableName| pinned.is_some_and(|(pinned, _)| pinned == table);
    relation::judge_built_ins(catalog)?;
    let mut relations = Vec::new();
    for (table, catalog) in tables.iter().zip(&catalog.relations) {
        let judged = relation::judge(catalog, table, connection.indirect());
        relations.push(judged.map_err(|error| as_another(error, is_pinned(table)))?);
    }
    let views: Vec<&Relation> =
        relations.iter().filter(|relation| relation.kind == Kind::View).collect();
    let behind = if views.is_empty() {
        Vec::new()
    } else {
        let has_pinned = views.iter().any(|view| is_pinned(&view.table));
        let behind = look_behind(connection, &views).await;
        behind.map_err(|error| as_another(error, has_pinned))?
    };
    Ok(Proof { relations, behind })
}

fn as_another(error: DriverError, is_pinned: bool) -> DriverError {
    if is_pinned && error.is_refused() {
        DriverError::identity_changed().replacing(error)
    } else {
        error
    }
}

/// A relation that a view reads, directly or through other views.
struct Inner {
    /// The OID of the named view.
    view: u32,
    oid: u32,
    table: TableName,
    is_view: bool,
    is_materialized: bool,
}

async fn look_behind(
    connection: &mut Connection,
    views: &[&Relation],
) -> Result<Vec<Behind>, DriverError> {
    let inner = tree(connection, views).await?;
    let mut tables: Vec<&TableName> = inner.iter().map(|inner| &inner.table).collect();
    tables.sort_unstable();
    tables.dedup();
    if tables.len() > RELATIONS_MAX {
        return Err(DriverError::refused(Reason::ViewTooDeep));
    }
    let with_rules = views.iter().map(|view| view.oid);
    let with_rules = with_rules.chain(inner.iter().filter(|one| one.is_view).map(|one| one.oid));
    let with_rules: BTreeSet<u32> = with_rules.collect();
    Catalogs::ask(connection, &tables)?;
    connection.run("rules", &[&catalog::oids(with_rules.iter().copied())], 0)?;
    connection.sync();
    connection.send().await?;
    let catalog = Catalogs::read(connection, tables.len()).await?;
    let rules = connection.rows().await?;
    connection.finish().await?;
    if rules.len() != with_rules.len() {
        return Err(DriverError::refused(Reason::ViewNotUnderstood));
    }
    let known = inner.iter().map(|inner| inner.oid).chain(with_rules).collect();
    let named = judge_rules(&rules, &known)?;
    judge_calls(connection, &named).await?;
    let mut relations = Vec::new();
    for (table, catalog) in tables.iter().zip(&catalog.relations) {
        relations.push(relation::judge(catalog, table, connection.indirect()).map_err(
            |error| {
                let is_none_of_ours =
                    matches!(error.reason(), Reason::TableIsSystem | Reason::TableKindUnsupported);
                if is_none_of_ours {
                    DriverError::refused(Reason::ViewReadsUnverified)
                } else {
                    error
                }
            },
        )?);
    }
    Ok(gather(views, &inner, &relations, &rules))
}

/// All relations behind the views.
async fn tree(connection: &mut Connection, views: &[&Relation]) -> Result<Vec<Inner>, DriverError> {
    for view in views {
        connection.run("tree", &[&view.table.schema, &view.table.name], 0)?;
    }
    connection.sync();
    connection.send().await?;
    let mut inner = Vec::new();
    for view in views {
        let rows = connection.rows().await?;
        for row in &rows {
            let depth: usize = text(row, 1).parse().unwrap_or(usize::MAX);
            // The question itself is cut at a thousand.
            if depth > LEVELS_MAX || rows.len() >= 1000 {
                return Err(DriverError::refused(Reason::ViewTooDeep));
            }
            if depth > 0 {
                inner.push(inner_of(view.oid, row)?);
            }
        }
    }
    connection.finish().await?;
    Ok(inner)
}

fn inner_of(view: u32, row: &CatalogRow) -> Result<Inner, DriverError> {
    let table = TableName { schema: text(row, 2).to_owned(), name: text(row, 3).to_owned() };
    let kind = text(row, 4);
    Ok(Inner { view, oid: oid(row, 0)?, table, is_view: kind == "v", is_materialized: kind == "m" })
}

fn judge_rules(rules: &[CatalogRow], known: &BTreeSet<u32>) -> Result<Named, DriverError> {
    let refused = |reason| Err(DriverError::refused(reason));
    let mut all = Named::default();
    for row in rules {
        if text(row, 2) != "O" || text(row, 3) != "t" || text(row, 4) != "<>" {
            return refused(Reason::ViewNotUnderstood);
        }
        if text(row, 6) != "f" {
            return refused(Reason::ViewNotBuiltIn);
        }
        let named = rule::read(text(row, 5)).map_err(|unknown| {
            DriverError::refused(Reason::ViewNotUnderstood).because(unknown.0)
        })?;
        for relation in &named.relations {
            if !known.contains(relation) {
                return refused(Reason::ViewReadsUnverified);
            }
        }
        if !named.is_built_in() {
            return refused(Reason::ViewNotBuiltIn);
        }
        all.functions.extend(named.functions);
        all.operators.extend(named.operators);
    }
    Ok(all)
}

/// Every function is immutable or stable.
async fn judge_calls(connection: &mut Connection, named: &Named) -> Result<(), DriverError> {
    let functions = catalog::oids(named.functions.iter().copied());
    let operators = catalog::oids(named.operators.iter().copied());
    connection.run("calls", &[&functions, &operators], 0)?;
    connection.sync();
    connection.send().await?;
    let rows = connection.rows().await?;
    connection.finish().await?;
    if rows.len() < named.functions.len() + named.operators.len() {
        return Err(DriverError::refused(Reason::ViewNotUnderstood));
    }
    if rows.iter().any(|row| !matches!(text(row, 1), "i" | "s")) {
        return Err(DriverError::refused(Reason::ViewIsVolatile));
    }
    if named.is_indirect(connection.indirect()) {
        return Err(DriverError::refused(Reason::ViewNotBuiltIn));
    }
    Ok(())
}

/// For each view what the proof saw behind it.
fn gather(
    views: &[&Relation],
    inner: &[Inner],
    relations: &[Relation],
    rules: &[CatalogRow],
) -> Vec<Behind> {
    let of_view = views.iter().map(|view| {
        let own = || inner.iter().filter(|inner| inner.view == view.oid);
        let mut seen = Vec::new();
        let mut oids: BTreeSet<u32> = own().map(|inner| inner.oid).collect();
        for relation in relations.iter().filter(|relation| oids.contains(&relation.oid)) {
            seen.extend(relation.seen.iter().cloned());
        }
        oids.insert(view.oid);
        let is_own = |row: &&CatalogRow| oid(row, 0).is_ok_and(|oid| oids.contains(&oid));
        seen.extend(rules.iter().filter(is_own).cloned());
        Behind { view: view.oid, seen, has_materialized: own().any(|inner| inner.is_materialized) }
    });
    of_view.collect()
}
