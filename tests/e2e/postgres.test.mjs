// A database on a PostgreSQL server: added by the person, read by an agent under the lock that its account can
// take, and gone in the middle.

import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { Agent } from './support/agent.mjs';
import {
  addServer,
  changeSource,
  createClient,
  entriesOf,
  fillServer,
  go,
  open,
  prompt,
  share,
} from './support/page.mjs';
import { freePort, ORDERS, postgres } from './support/postgres.mjs';
import { start } from './support/program.mjs';

const QUESTION = 'select id, buyer, cents, noted_on from sales.orders order by id';
const PAUSE_MS = 20;

async function prepare(t, role, level) {
  const server = await postgres(t);
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const sourceId = await addServer(page, 'Shop', server.account(role));
  const { clientId, token } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, level);
  const agent = await Agent.connect(t, { mcpUrl: program.mcpUrl, token });
  await agent.beginSession('monthly report');
  return { server, page, sourceId, clientId, agent };
}

/** Asks and waits: the end of the request, with its id. */
async function ask(agent, tool, sourceId, args) {
  const asked = await agent.call(tool, { source_id: sourceId, request_key: crypto.randomUUID(), ...args });
  return { id: asked.request_id, ...(await agent.outcome(asked.request_id)) };
}

const question = (agent, sourceId, sql = QUESTION) => ask(agent, 'query_sql', sourceId, { sql });
const detailsOf = async (page, id) => (await entriesOf(page, id)).map((entry) => entry.detail ?? '').join('\n');

test('a server that refuses is not added, with its words and what to do; then it is', async (t) => {
  const server = await postgres(t);
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const right = server.account('reader');
  const port = await freePort(server.host);
  for (const [wrong, cause, hint] of [
    [{ password: 'not this one' }, /did not accept the account.*authentication failed/s, /Check user and password/],
    [{ database: 'nowhere' }, /does not exist.*"nowhere"/s, /letter case counts/],
    [{ port }, /cannot be reached.*Connection refused/s, /Check host, port and network/],
    [{ host: 'db.example:5432' }, /host must be a name, an address .* without user and port/, /Check what was typed/],
  ]) {
    await fillServer(page, 'Shop', { ...right, ...wrong });
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/sources'));
    await page.getByTestId('source-submit').click();
    assert.ok((await answered).status() >= 400);
    const problem = page.getByTestId('source-form').getByTestId('problem');
    await problem.filter({ hasText: hint }).waitFor();
    assert.match(await problem.textContent(), cause);
    assert.equal(await page.getByTestId('source-user').inputValue(), right.user, 'what was typed stays');
    assert.equal(await page.getByTestId('source-row').count(), 0);
  }
  // The browser itself notes answers that are refusals.
  page.problems.length = 0;
  await addServer(page, 'Shop', right);
  const row = await page.getByTestId('source-row').textContent();
  for (const part of [right.host, right.port, right.database, right.user]) assert.ok(row.includes(part), part);
  await page.getByTestId('source-form').getByText('Added.').waitFor();
  assert.equal(await page.getByTestId('source-password').inputValue(), '', 'the form forgets it');
  await page.reload();
  await page.getByTestId('source-row').waitFor();
  assert.ok(!(await page.content()).includes(right.password), 'no page shows the password');
  assert.deepEqual(page.problems, []);
});

test('an account that may only SELECT reads under the weaker lock, which the person chooses', async (t) => {
  const { page, sourceId, agent } = await prepare(t, 'reader', 'read');
  const listed = await ask(agent, 'list_tables', sourceId);
  const names = listed.result.tables.map(({ schema, name }) => `${schema}.${name}`);
  assert.ok(names.includes('sales.orders'), names.join());
  const refused = await question(agent, sourceId);
  assert.deepEqual([refused.status, refused.error.reason], ['failed', 'table_lock_not_permitted']);
  assert.match(refused.error.message, /weaker read lock/);

  const status = await changeSource(page, (settings) => settings.getByTestId('source-lock-weak').check());
  assert.equal(status, 204);
  await page.getByTestId('source-row').filter({ hasText: 'Weaker read lock' }).waitFor();
  const table = { schema: 'sales', name: 'orders' };
  const described = await ask(agent, 'describe_table', sourceId, { table });
  assert.deepEqual(
    described.result.columns.map(({ name, declared_type: type }) => [name, type]),
    [['id', 'integer'], ['buyer', 'text'], ['cents', 'bigint'], ['noted_on', 'date']],
  );
  const answered = await question(agent, sourceId);
  assert.deepEqual(answered.result.rows, ORDERS);
  for (const guard of ['weak_read_lock', 'proven_again']) assert.ok(answered.result.guards.includes(guard), guard);
  assert.match(await detailsOf(page, answered.id), /held by the weaker read lock and proven before and after/);
  const read = await ask(agent, 'read_table', sourceId, { table, columns: ['buyer'], limit: 1 });
  assert.equal(read.result.rows.length, 1);
  await go(page, 'activity');
  await page.getByTestId('activity-row').filter({ hasText: 'weaker read lock and proven' }).first().waitFor();

  for (const [sql, reason] of [
    ['select id from sales.parts', 'table_is_partitioned'],
    ['select id from sales.policed', 'table_has_row_security'],
    ['select cents from sales.wages', 'table_not_permitted'],
    ['select id from sales.nowhere', 'table_unknown'],
    ['select price from sales.orders', 'column_unknown'],
  ]) {
    const { status: end, error } = await question(agent, sourceId, sql);
    assert.deepEqual([end, error.reason], ['failed', reason], sql);
  }
  assert.deepEqual(page.problems, []);
});

test('an account that may write reads under the full lock, and the activity says so', async (t) => {
  const { page, sourceId, agent } = await prepare(t, 'clerk', 'read');
  const answered = await question(agent, sourceId);
  assert.deepEqual(answered.result.rows, ORDERS);
  assert.ok(answered.result.guards.includes('identity_pinned'));
  assert.ok(!answered.result.guards.includes('weak_read_lock'));
  assert.match(await detailsOf(page, answered.id), /held by the full read lock/);
});

test('a server that stops in the middle leaves static words to the agent and the cause to the person', async (t) => {
  const { server, page, sourceId, agent } = await prepare(t, 'clerk', 'ask');
  await go(page, 'approvals');
  const sql = 'select pg_sleep(25)';
  const args = { source_id: sourceId, sql, request_key: crypto.randomUUID() };
  const asked = await agent.call('request_sql', args);
  await prompt(page, asked.request_id).getByTestId('allow-once').click();
  const running = `select count(*) from pg_stat_activity where state = 'active' and query = '${sql}'`;
  while (server.sql(running) === '0') await after(PAUSE_MS);
  await server.stop();
  const cut = await agent.outcome(asked.request_id);
  assert.equal(cut.status, 'outcome_unknown');
  assert.match(await detailsOf(page, asked.request_id), /terminating connection|connection/i);
  const again = await agent.call('request_sql', args);
  assert.deepEqual([again.request_id, again.status], [asked.request_id, 'outcome_unknown'], 'it is never sent again');

  const refused = await agent.query(sourceId, QUESTION);
  await prompt(page, refused.request_id).getByTestId('allow-once').click();
  const { status, error } = await agent.outcome(refused.request_id);
  assert.deepEqual([status, error.reason], ['failed', 'server_unreachable']);
  assert.match(await detailsOf(page, refused.request_id), /Connection refused/);

  await server.restart();
  const answered = await agent.query(sourceId, QUESTION);
  await prompt(page, answered.request_id).getByTestId('allow-once').click();
  assert.deepEqual((await agent.outcome(answered.request_id)).result.rows, ORDERS);
  assert.deepEqual(page.problems, []);
});

test('another password is tried first and ends what was allowed for the session', async (t) => {
  const { server, page, sourceId, agent } = await prepare(t, 'clerk', 'ask');
  await go(page, 'approvals');
  const first = await agent.query(sourceId, QUESTION);
  const shown = prompt(page, first.request_id);
  await shown.getByTestId('allow-more').click();
  await shown.getByTestId('allow-source').click();
  assert.equal((await agent.outcome(first.request_id)).status, 'completed');
  assert.equal((await question(agent, sourceId)).status, 'completed', 'covered by the session');

  const { user } = server.account('clerk');
  server.sql(`ALTER ROLE ${user} PASSWORD 'another one'`);
  const use = (password) => async (settings) => {
    await settings.getByTestId('source-new-password').fill(password);
    await settings.getByTestId('source-set-password').click();
  };
  assert.equal(await changeSource(page, use('not this one')), 422);
  const problem = page.getByTestId('settings-of-source').getByTestId('problem');
  await problem.filter({ hasText: 'did not accept the account' }).waitFor();
  assert.match(await problem.textContent(), /Check user and password/);
  page.problems.length = 0;
  assert.equal((await agent.outcome(first.request_id)).status, 'completed', 'nothing ended');
  await page.getByRole('button', { name: 'Leave as it is' }).click();

  assert.equal(await changeSource(page, use('another one')), 204);
  const taken = await agent.outcome(first.request_id);
  assert.deepEqual([taken.status, taken.result], ['revoked', null]);
  const asked = await agent.query(sourceId, QUESTION);
  assert.equal(asked.status, 'pending', 'the allowance has ended');
  await go(page, 'approvals');
  await prompt(page, asked.request_id).getByTestId('allow-once').click();
  assert.deepEqual((await agent.outcome(asked.request_id)).result.rows, ORDERS);
  assert.deepEqual(page.problems, []);
});
