//! A small shop in SQLite: related tables, big integers, blobs, NULLs, text in several scripts.
//! The same data every time, so that a conversation can be told twice.

use rusqlite::{Connection, Transaction, params};
use std::path::Path;

/// How many rows each table has.
const CUSTOMERS: i64 = 500;
const PRODUCTS: i64 = 120;
const ORDERS: i64 = 3_000;

const SCHEMA: &str = "
    CREATE TABLE customers (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        country TEXT NOT NULL,
        email TEXT,
        loyalty_points INTEGER NOT NULL
    );
    CREATE TABLE products (
        id INTEGER PRIMARY KEY,
        sku TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        price_cents INTEGER NOT NULL,
        weight_kg REAL,
        thumbnail BLOB
    );
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL REFERENCES customers (id),
        placed_at TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'shipped', 'returned')),
        total_cents INTEGER NOT NULL,
        ledger_number INTEGER NOT NULL
    );
    CREATE TABLE order_lines (
        order_id INTEGER NOT NULL REFERENCES orders (id),
        line INTEGER NOT NULL,
        product_id INTEGER NOT NULL REFERENCES products (id),
        quantity INTEGER NOT NULL,
        PRIMARY KEY (order_id, line)
    ) WITHOUT ROWID;
    CREATE TABLE payments (
        order_id INTEGER PRIMARY KEY REFERENCES orders (id),
        method TEXT NOT NULL,
        card_number TEXT,
        paid_at TEXT NOT NULL
    );
    CREATE INDEX orders_by_customer ON orders (customer_id);
    CREATE INDEX orders_by_status ON orders (status) WHERE status = 'open';
    CREATE VIEW open_orders AS SELECT id, total_cents FROM orders WHERE status = 'open';
";

const NAMES: &[(&str, &str)] = &[
    ("Ana Souza", "BR"),
    ("Søren Ægidius", "DK"),
    ("王小明", "CN"),
    ("Ольга Петрова", "BG"),
    ("محمد علي", "EG"),
    ("Γιώργος Νικολάου", "GR"),
    ("Zoë O'Neill", "IE"),
    ("さくら 田中", "JP"),
    ("דנה לוי", "IL"),
    ("Łukasz Żak", "PL"),
];

const TITLES: &[&str] =
    &["Teapot", "Lantern", "Notebook", "Küchenmesser", "Écharpe", "茶碗", "Ceramic \"moon\" bowl"];

const STATUSES: &[&str] = &["open", "paid", "shipped", "returned"];

/// Makes the database in a file that does not exist yet.
pub fn create(path: &Path) -> rusqlite::Result<()> {
    let mut connection = Connection::open(path)?;
    connection.execute_batch(SCHEMA)?;
    let transaction = connection.transaction()?;
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    fill_customers(&transaction, &mut chance)?;
    fill_products(&transaction, &mut chance)?;
    fill_orders(&transaction, &mut chance)?;
    transaction.commit()
}

fn fill_customers(transaction: &Transaction<'_>, chance: &mut Chance) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO customers VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for id in 1..=CUSTOMERS {
        let (name, country) = chance.pick(NAMES).unwrap_or(("Nobody", "XX"));
        let email = (!chance.below(4).eq(&0)).then(|| format!("customer{id}@shop.example"));
        // Beyond 2^53: a reader that goes through floating point would show another number.
        let points = 9_007_199_254_740_993 + chance.below(1_000_000);
        insert.execute(params![id, format!("{name} {id}"), country, email, points])?;
    }
    Ok(())
}

fn fill_products(transaction: &Transaction<'_>, chance: &mut Chance) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO products VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    for id in 1..=PRODUCTS {
        let title = chance.pick(TITLES).unwrap_or("Thing");
        let weight = (chance.below(5) > 0)
            .then(|| f64::from(u16::try_from(chance.below(4_000)).unwrap_or(0)) / 1_000.0);
        let thumbnail: Option<Vec<u8>> =
            (chance.below(3) > 0).then(|| chance.next().to_be_bytes().to_vec());
        let price = 250 + chance.below(20_000);
        let sku = format!("SKU-{id:04}");
        insert.execute(params![id, sku, format!("{title} {id}"), price, weight, thumbnail])?;
    }
    Ok(())
}

fn fill_orders(transaction: &Transaction<'_>, chance: &mut Chance) -> rusqlite::Result<()> {
    let mut order = transaction.prepare("INSERT INTO orders VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    let mut line = transaction.prepare("INSERT INTO order_lines VALUES (?1, ?2, ?3, ?4)")?;
    let mut payment = transaction.prepare("INSERT INTO payments VALUES (?1, ?2, ?3, ?4)")?;
    for id in 1..=ORDERS {
        let customer = 1 + chance.below(CUSTOMERS);
        let day = 1 + id % 28;
        let month = 1 + id % 12;
        let placed_at = format!("2026-{month:02}-{day:02}T{:02}:00:00Z", id % 24);
        let status = chance.pick(STATUSES).unwrap_or("open");
        let total = 500 + chance.below(50_000);
        let ledger = i64::MAX - id;
        order.execute(params![id, customer, placed_at, status, total, ledger])?;
        for position in 1..=1 + chance.below(3) {
            let product = 1 + chance.below(PRODUCTS);
            line.execute(params![id, position, product, 1 + chance.below(5)])?;
        }
        if status != "open" {
            let card = (chance.below(2) == 0).then(|| format!("**** **** **** {:04}", id % 10_000));
            let method = if card.is_some() { "card" } else { "transfer" };
            payment.execute(params![id, method, card, placed_at])?;
        }
    }
    Ok(())
}

/// A fixed sequence that looks like chance (xorshift): the same shop every time.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0 to below the bound.
    fn below(&mut self, bound: i64) -> i64 {
        let bound = u64::try_from(bound).unwrap_or(1).max(1);
        i64::try_from(self.next() % bound).unwrap_or(0)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        let length = i64::try_from(list.len()).unwrap_or(1);
        usize::try_from(self.below(length)).ok().and_then(|index| list.get(index)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{CUSTOMERS, ORDERS, PRODUCTS, create};

    #[test]
    fn the_shop_has_its_rows_and_is_the_same_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one.db"), folder.path().join("other.db"));
        create(&one).unwrap();
        create(&other).unwrap();
        let summary = |path: &std::path::Path| {
            let connection = rusqlite::Connection::open(path).unwrap();
            let count = |table: &str| -> i64 {
                let sql = format!("SELECT count(*) FROM {table}");
                connection.query_row(&sql, [], |row| row.get(0)).unwrap()
            };
            let checksum: String = connection
                .query_row("SELECT group_concat(total_cents) FROM orders", [], |row| row.get(0))
                .unwrap();
            let broken: i64 = connection
                .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
                .unwrap();
            (count("customers"), count("products"), count("orders"), checksum, broken)
        };
        let first = summary(&one);
        assert_eq!((first.0, first.1, first.2, first.4), (CUSTOMERS, PRODUCTS, ORDERS, 0));
        assert_eq!(first, summary(&other));
    }
}
