// A private MariaDB for one test, in a folder of its own, ended by a shell that waits for the test's process to
// end, in whatever way.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterwards } from './cleanup.mjs';
import { AGENTS, hide, LOGS } from './leaks.mjs';
import { freePort } from './postgres.mjs';

/** Not the address of DBeast's doors, so that it is found wherever it leaks. */
const HOST = '127.0.0.78';
const READY = 'ready for connections';
/** How often another port is tried. */
const STARTS_MAX = 20;
const LOG_LINES_SHOWN = 30;

/** Reads `start PORT`; when its input ends, so does everything. */
const KEEPER = `
folder=$1 host=$2 server=
user=$(id -un)
end() {
  if [ -n "$server" ]; then kill -s KILL "$server"; wait "$server" 2>/dev/null; server=; fi
}
mariadb-install-db --no-defaults --user="$user" --datadir="$folder/data" --auth-root-authentication-method=normal \\
  --skip-test-db --skip-name-resolve </dev/null >/dev/null 2>&1 || { rm -rf -- "$folder"; exit 1; }
while read -r word port; do
  end
  mariadbd --no-defaults --user="$user" --datadir="$folder/data" --socket="$folder/socket" --pid-file="$folder/pid" \\
    --port="$port" --bind-address="$host" --init-file="$folder/init.sql" --skip-log-bin --skip-name-resolve \\
    --innodb-flush-log-at-trx-commit=0 </dev/null 2>&1 &
  server=$!
done
exec >/dev/null 2>&1
end
rm -rf -- "$folder"
`;

/** What a shop keeps: a table that can be read, and some that cannot. */
const TABLES = [
  'CREATE TABLE orders (id int PRIMARY KEY, buyer varchar(40) NOT NULL, cents bigint unsigned, noted_on date, took time)',
  `INSERT INTO orders VALUES (1, 'Ana', 18446744073709551615, '2026-02-28', '-838:59:59'),
    (2, 'さくら', 0, NULL, NULL), (3, 'It''s "paid"', NULL, '9999-12-31', '00:00:01')`,
  'CREATE TABLE old_orders (id int) ENGINE=MyISAM',
  'CREATE VIEW buyers AS SELECT buyer FROM orders',
];

/** What an agent must receive of the orders, in their order. */
export const ORDERS = [
  ['1', 'Ana', '18446744073709551615', '2026-02-28', '-838:59:59'],
  ['2', 'さくら', '0', null, null],
  ['3', 'It\'s "paid"', null, '9999-12-31', '00:00:01'],
];

class Mariadb {
  #keeper;
  #ended;
  #lines;
  #seen = [];
  #word = crypto.randomUUID().slice(0, 8);

  static async start(t) {
    const server = new Mariadb();
    const folder = await mkdtemp(path.join(tmpdir(), 'dbeast-e2e-server-'));
    await writeFile(path.join(folder, 'init.sql'), server.#statements());
    server.#keeper = spawn('sh', ['-c', KEEPER, 'sh', folder, HOST], {
      cwd: '/',
      env: { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH}:/usr/sbin` },
      // An interrupt from the keyboard is for the tests; the server ends after them.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    server.#ended = once(server.#keeper, 'close');
    afterwards(t, () => server.#end());
    server.#lines = createInterface({ input: server.#keeper.stdout })[Symbol.asyncIterator]();
    await server.#begin();
    server.#hide(folder);
    return server;
  }

  get database() {
    return `shop_${this.#word}`;
  }

  /** The accounts: `reader` may SELECT and see identities, `clerk` may also change, `blind` may only SELECT. */
  account(role) {
    return {
      host: HOST,
      port: this.port,
      database: this.database,
      user: `${role}_${this.#word}`,
      // Everything that a form, a file or a protocol might not carry as it is.
      password: `${role} '"\\é ${this.#word}`,
    };
  }

  /** Each on a line of its own, as the server wants them. */
  #statements() {
    const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
    const accounts = [
      ['reader', 'SELECT', true],
      ['clerk', 'SELECT, INSERT, UPDATE, DELETE', true],
      ['blind', 'SELECT', false],
    ].flatMap(([role, privileges, process]) => {
      const { user, password } = this.account(role);
      const account = `${quoted(user)}@'%'`;
      return [
        `CREATE USER ${account} IDENTIFIED BY ${quoted(password)}`,
        `GRANT ${privileges} ON ${this.database}.* TO ${account}`,
        ...(process ? [`GRANT PROCESS ON *.* TO ${account}`] : []),
      ];
    });
    const database = [`CREATE DATABASE ${this.database} CHARACTER SET utf8mb4`, `USE ${this.database}`];
    const all = ['SET NAMES utf8mb4', ...database, ...TABLES, ...accounts];
    return all.map((statement) => `${statement.replaceAll(/\s*\n\s*/g, ' ')};\n`).join('');
  }

  /** Starts it on a free port. Another program may take that in between; then on another one. */
  async #begin() {
    for (let tries = 0; tries < STARTS_MAX; tries += 1) {
      this.port = await freePort(HOST);
      this.#keeper.stdin.write(`start ${this.port}\n`);
      const isReady = (line) => line.includes(READY);
      const isTaken = (line) => line.includes('Address already in use');
      if (isReady(await this.#until((line) => isReady(line) || isTaken(line)))) return;
    }
    throw new Error('no port is free');
  }

  #hide(folder) {
    hide('the host of the server', HOST, [AGENTS, LOGS]);
    hide('the port of the server', this.port, [AGENTS, LOGS]);
    hide('the folder of its socket', path.basename(folder), [AGENTS, LOGS]);
    for (const role of ['reader', 'clerk', 'blind']) {
      const { user, password } = this.account(role);
      hide('the name of an account', user, [AGENTS, LOGS]);
      hide('a password', password);
      // However it may be escaped.
      hide('a part of a password', `é ${this.#word}`);
    }
  }

  async #until(isIt) {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the server has ended:\n${this.#seen.slice(-LOG_LINES_SHOWN).join('\n')}`);
      this.#seen.push(value);
      if (isIt(value)) return value;
    }
  }

  async #end() {
    this.#keeper.stdin.end();
    this.#keeper.stdout.resume();
    await this.#ended;
  }
}

/** A fresh server with a small shop in it; it ends with the test. */
export const mariadb = (t) => Mariadb.start(t);
