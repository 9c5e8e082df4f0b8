// A private PostgreSQL for one test, as in tests/servers: in a folder of its own, run by somebody else than the
// administrator, and ended by a shell that waits for the test's process to end, in whatever way.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterwards } from './cleanup.mjs';
import { AGENTS, hide, LOGS } from './leaks.mjs';

/** Not the address of DBeast's doors, so that it is found wherever it leaks. */
const HOST = '127.0.0.77';
const READY = 'database system is ready to accept';
/** How often another port is tried. */
const STARTS_MAX = 20;
const LOG_LINES_SHOWN = 30;

/** Reads `start PORT` and `stop`; when its input ends, so does everything. */
const KEEPER = `
bin=$1 folder=$2 host=$3 server=
end() {
  if [ -n "$server" ]; then kill -s INT "$server"; wait "$server"; server=; fi
}
"$bin/initdb" --username postgres --auth trust --no-sync --no-instructions --encoding UTF8 --locale C.UTF-8 \\
  --pgdata "$folder/data" </dev/null >/dev/null 2>&1 || { rm -rf -- "$folder"; exit 1; }
printf 'local all postgres trust\\nhost all all 127.0.0.0/8 scram-sha-256\\n' >"$folder/data/pg_hba.conf"
while read -r word port; do
  case $word in
    start)
      "$bin/postgres" -D "$folder/data" -k "$folder" -p "$port" -c "listen_addresses=$host" -c fsync=off \\
        -c autovacuum=off </dev/null 2>&1 &
      server=$!
      ;;
    stop) end; echo stopped ;;
  esac
done
exec >/dev/null 2>&1
end
rm -rf -- "$folder"
`;

/** What a shop keeps: tables that can be read, and one of each kind that cannot. */
const TABLES = `
  CREATE SCHEMA sales;
  CREATE TABLE sales.orders (id integer PRIMARY KEY, buyer text NOT NULL, cents bigint, noted_on date);
  INSERT INTO sales.orders VALUES
    (1, 'Ana', 9223372036854775807, '2026-02-28'), (2, 'さくら', -1, NULL), (3, 'It''s "paid"', NULL, 'infinity');
  CREATE TABLE sales.parts (id integer) PARTITION BY RANGE (id);
  CREATE TABLE sales.policed (id integer);
  ALTER TABLE sales.policed ENABLE ROW LEVEL SECURITY;
  CREATE TABLE sales.wages (id integer, cents bigint);
`;

/** What an agent must receive of the orders, in their order. */
export const ORDERS = [
  ['1', 'Ana', '9223372036854775807', '2026-02-28'],
  ['2', 'さくら', '-1', null],
  ['3', 'It\'s "paid"', null, 'infinity'],
];

class Postgres {
  #keeper;
  #ended;
  #lines;
  #seen = [];
  #word = crypto.randomUUID().slice(0, 8);

  static async start(t) {
    const server = new Postgres();
    // It refuses to run as the administrator.
    const user = process.getuid() === 0 ? ids('nobody') : {};
    server.folder = await mkdtemp(path.join(tmpdir(), 'dbeast-e2e-server-'));
    if (user.uid !== undefined) await chown(server.folder, user.uid, user.gid);
    server.#keeper = spawn('sh', ['-c', KEEPER, 'sh', programs(), server.folder, HOST], {
      ...user,
      cwd: '/',
      env: { ...process.env, LC_ALL: 'C' },
      // An interrupt from the keyboard is for the tests; the server ends after them.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    server.#ended = once(server.#keeper, 'close');
    afterwards(t, () => server.#end());
    server.#lines = createInterface({ input: server.#keeper.stdout })[Symbol.asyncIterator]();
    await server.#begin();
    server.#fill();
    return server;
  }

  get host() {
    return HOST;
  }

  /** The accounts: `reader` may only SELECT, `clerk` may also change the orders. */
  account(role) {
    return {
      host: HOST,
      port: this.port,
      database: `shop_${this.#word}`,
      user: `${role}_${this.#word}`,
      // Everything that a form, a file or a protocol might not carry as it is.
      password: `${role} '"\\é ${this.#word}`,
    };
  }

  /** Runs SQL as the superuser: what it prints, unaligned. */
  sql(text, database = this.account('').database) {
    const psql = path.join(programs(), 'psql');
    const to = ['-h', this.folder, '-p', String(this.port), '-U', 'postgres', '-d', database];
    const how = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
    return execFileSync(psql, [...how, ...to], { input: text, encoding: 'utf8' }).trim();
  }

  /** Stops it at once, as for an upgrade. */
  async stop() {
    this.#keeper.stdin.write('stop\n');
    await this.#until((line) => line === 'stopped');
  }

  /** Starts it again on the same port. */
  async restart() {
    this.#keeper.stdin.write(`start ${this.port}\n`);
    await this.#until((line) => line.includes(READY));
  }

  /** Starts it on a free port. Another program may take that in between; then on another one. */
  async #begin() {
    for (let tries = 0; tries < STARTS_MAX; tries += 1) {
      this.port = await freePort(HOST);
      this.#keeper.stdin.write(`start ${this.port}\n`);
      const isReady = (line) => line.includes(READY);
      const isTaken = (line) => line.includes('could not create any TCP/IP sockets');
      if (isReady(await this.#until((line) => isReady(line) || isTaken(line)))) return;
      await this.stop();
    }
    throw new Error('no port is free');
  }

  #fill() {
    const { database, ...reader } = this.account('reader');
    const clerk = this.account('clerk');
    const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
    // The server takes a backslash as it is: standard_conforming_strings is on.
    const role = ({ user, password }) => `CREATE ROLE ${user} LOGIN PASSWORD ${quoted(password)};`;
    this.sql(role(reader) + role(clerk), 'postgres');
    this.sql(`CREATE DATABASE ${database}`, 'postgres');
    this.sql(`${TABLES}
      GRANT USAGE ON SCHEMA sales TO ${reader.user}, ${clerk.user};
      GRANT SELECT ON sales.orders, sales.parts, sales.policed TO ${reader.user}, ${clerk.user};
      GRANT INSERT, UPDATE, DELETE ON sales.orders TO ${clerk.user};`);
    hide('the host of the server', HOST, [AGENTS, LOGS]);
    hide('the port of the server', this.port, [AGENTS, LOGS]);
    hide('the folder of its socket', path.basename(this.folder), [AGENTS, LOGS]);
    hide('the name of the database', database, [AGENTS, LOGS]);
    for (const { user, password } of [reader, clerk]) {
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
export const postgres = (t) => Postgres.start(t);

/** A port on which nobody listens. */
export async function freePort(host) {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function ids(name) {
  const number = (option) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/** Debian keeps each version's programs in a folder of its own; the newest is taken. */
function programs() {
  const home = '/usr/lib/postgresql';
  const versions = readdirSync(home).map(Number).filter(Number.isInteger);
  return path.join(home, String(Math.max(...versions)), 'bin');
}
