// A database on a MariaDB server: added by the person with the grants that the form names, read and written by an
// agent, and what the server or the proof refuses.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { mariadb, ORDERS } from './support/mariadb.mjs';
import { addServer, createClient, entriesOf, fillServer, go, open, prompt, share } from './support/page.mjs';
import { start } from './support/program.mjs';

async function prepare(t, role, level) {
  const server = await mariadb(t);
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const sourceId = await addServer(page, 'Shop', server.account(role), 'mariadb');
  const { clientId, token } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, level);
  const agent = await Agent.connect(t, { mcpUrl: program.mcpUrl, token });
  await agent.beginSession('monthly report');
  const question = `select id, buyer, cents, noted_on, took from ${server.database}.orders order by id`;
  return { server, page, sourceId, agent, question };
}

/** Asks and waits: the end of the request, with its id. */
async function ask(agent, tool, sourceId, args) {
  const asked = await agent.call(tool, { source_id: sourceId, request_key: crypto.randomUUID(), ...args });
  return { id: asked.request_id, ...(await agent.outcome(asked.request_id)) };
}

test('a server is added under its own engine, and another engine is said to be one', async (t) => {
  const server = await mariadb(t);
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const right = server.account('reader');
  for (const [engine, wrong, cause] of [
    ['mariadb', { password: 'not this one' }, /did not accept the account.*Access denied/s],
    ['mariadb', { database: 'nowhere' }, /does not exist/],
    ['mysql', {}, /not the expected kind of server.*MariaDB/s],
    ['postgres', {}, /not the expected kind of server/],
  ]) {
    await fillServer(page, 'Shop', { ...right, ...wrong }, engine);
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/sources'));
    await page.getByTestId('source-submit').click();
    assert.equal((await answered).status(), 422, engine);
    const problem = page.getByTestId('source-form').getByTestId('problem');
    await problem.filter({ hasText: cause }).waitFor();
  }
  // The browser itself notes answers that are refusals.
  page.problems.length = 0;
  await fillServer(page, 'Shop', right, 'mariadb');
  const grants = await page.getByTestId('source-grants').textContent();
  const database = right.database.replaceAll('_', '\\_');
  assert.ok(grants.includes(`GRANT SELECT ON \`${database}\`.* TO '${right.user}'`), grants);
  assert.ok(grants.includes('GRANT PROCESS ON *.*'), grants);
  await page.getByTestId('source-submit').click();
  const row = page.getByTestId('source-row');
  await row.waitFor();
  assert.match(await row.textContent(), /MariaDB/);
  assert.equal(await page.getByTestId('source-password').inputValue(), '', 'the form forgets it');
  assert.deepEqual(page.problems, []);
});

test('a question is asked, allowed once and answered exactly', async (t) => {
  const { page, sourceId, agent, question } = await prepare(t, 'reader', 'ask');
  await go(page, 'approvals');
  const asked = await agent.query(sourceId, question);
  const shown = prompt(page, asked.request_id);
  assert.match(await shown.getByTestId('prompt-sql').textContent(), /from\s+`?shop_\w+`?\.`?orders/i);
  await shown.getByTestId('allow-once').click();
  const { status, result } = await agent.outcome(asked.request_id);
  assert.equal(status, 'completed');
  assert.deepEqual(result.rows, ORDERS);
  for (const guard of ['read_only_transaction', 'session_settings', 'identity_pinned']) {
    assert.ok(result.guards.includes(guard), guard);
  }
  assert.deepEqual(page.problems, []);
});

test('what cannot be proven is refused with its reason, and the person sees why', async (t) => {
  const { server, page, sourceId, agent } = await prepare(t, 'reader', 'read');
  for (const [table, reason] of [
    ['old_orders', 'table_has_custom_storage'],
    ['buyers', 'table_is_view'],
    ['nothing', 'table_unknown'],
  ]) {
    const sql = `select 1 as one from ${server.database}.${table} as t`;
    const { status, error, id } = await ask(agent, 'query_sql', sourceId, { sql });
    assert.equal(status, 'failed', table);
    assert.equal(error.reason, reason, table);
    assert.ok((await entriesOf(page, id)).some((entry) => entry.event === 'request_failed'), table);
  }
});

test('an account without PROCESS is told what it lacks', async (t) => {
  const { sourceId, agent, question } = await prepare(t, 'blind', 'read');
  const { status, error } = await ask(agent, 'query_sql', sourceId, { sql: question });
  assert.deepEqual([status, error.reason], ['failed', 'process_not_permitted']);
});

test('a write is shown with its boundary and estimate, and done once', async (t) => {
  const { server, page, sourceId, agent, question } = await prepare(t, 'clerk', 'ask');
  await go(page, 'approvals');
  const sql = `update ${server.database}.orders set cents = 7 where id = 2`;
  const asked = await agent.call('request_sql', { source_id: sourceId, sql, request_key: crypto.randomUUID() });
  const shown = prompt(page, asked.request_id);
  const boundary = await shown.getByTestId('full-sql-boundary').textContent();
  assert.match(boundary, /can point to another database.*cannot be rolled back, such as MyISAM/s);
  await shown.getByTestId('estimate').waitFor();
  await shown.getByTestId('allow-once').click();
  const { status, result } = await agent.outcome(asked.request_id);
  assert.deepEqual([status, result.affected_rows], ['completed', 1]);
  const read = await agent.query(sourceId, question);
  await prompt(page, read.request_id).getByTestId('allow-once').click();
  const after = await agent.outcome(read.request_id);
  assert.equal(after.result.rows[1][2], '7');
  assert.deepEqual(page.problems, []);
});
