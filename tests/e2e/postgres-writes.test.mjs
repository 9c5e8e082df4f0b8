// Statements that may write on a PostgreSQL server: shown with their boundary and the server's estimate, allowed
// once, or covered by a table's level in DBeast's own text.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { activityOf, addServer, createClient, entriesOf, go, open, prompt, share } from './support/page.mjs';
import { postgres } from './support/postgres.mjs';
import { start } from './support/program.mjs';

const UPDATE = "update sales.orders\n  set cents = 5 -- as agreed\n  where buyer = 'Ana'";

async function prepare(t, role, level) {
  const server = await postgres(t);
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const sourceId = await addServer(page, 'Shop', server.account(role));
  const { clientId, token } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, level);
  const agent = await Agent.connect(t, { mcpUrl: program.mcpUrl, token });
  await agent.beginSession('corrections');
  await go(page, 'approvals');
  const request = (sql) =>
    agent.call('request_sql', { source_id: sourceId, sql, request_key: crypto.randomUUID() });
  return { server, page, sourceId, clientId, agent, request };
}

const rowOf = (server, id) => server.sql(`select buyer, cents from sales.orders where id = ${id}`);
const allow = (page, { request_id: id }) => prompt(page, id).getByTestId('allow-once').click();

test('a statement is shown with its boundary and the estimate of the server, and done once', async (t) => {
  const { server, page, agent, request } = await prepare(t, 'clerk', 'ask');
  const asked = await request(UPDATE);
  assert.equal(asked.status, 'pending');
  const shown = prompt(page, asked.request_id);
  assert.equal(await shown.getByTestId('prompt-sql').textContent(), UPDATE);
  const boundary = await shown.getByTestId('full-sql-boundary').textContent();
  assert.match(boundary, /Full SQL is not a sandbox\..*Functions, triggers and extensions/s);
  const estimate = shown.getByTestId('estimate');
  await estimate.waitFor();
  assert.match(await estimate.textContent(), /The database expects [\d,]+ rows?\.\s+Nothing ran yet\./);
  await estimate.locator('summary').click();
  assert.match(await estimate.getByTestId('estimate-plan').textContent(), /Update on .*orders/);
  assert.equal(rowOf(server, 1), 'Ana|9223372036854775807', 'nothing ran yet');
  const waiting = await agent.call('get_request', { request_id: asked.request_id });
  assert.ok(!JSON.stringify(waiting).includes('Update on'), 'the plan is for the person alone');

  await shown.getByTestId('allow-once').click();
  const { status, result } = await agent.outcome(asked.request_id);
  assert.deepEqual([status, result.affected_rows, result.rows], ['completed', 1, []]);
  assert.ok(result.guards.includes('single_statement'), result.guards.join());
  assert.equal(rowOf(server, 1), 'Ana|5');
  assert.deepEqual(page.problems, []);
});

test('what the server refuses reaches the agent as a reason and the person in its words', async (t) => {
  const { server, page, agent, request } = await prepare(t, 'clerk', 'ask');
  const before = server.sql('select count(*), sum(cents) from sales.orders');
  for (const [sql, reason, words] of [
    ["insert into sales.orders values (1, 'Twice', 0, null)", 'constraint_violated', /duplicate key/],
    ['delete from sales.wages', 'statement_not_permitted', /permission denied for table wages/],
    ['delete from sales.orders; delete from sales.orders', 'statement_not_single', /multiple commands/],
    ['update sales.nowhere set a = 1', 'table_unknown', /does not exist/],
    ['update sales.orders set', 'statement_not_accepted', /syntax error/],
  ]) {
    const asked = await request(sql);
    await allow(page, asked);
    const { status, error } = await agent.outcome(asked.request_id);
    assert.deepEqual([status, error.reason], ['failed', reason], sql);
    const details = (await entriesOf(page, asked.request_id)).map((entry) => entry.detail ?? '');
    assert.match(details.join('\n'), words, sql);
  }
  assert.equal(server.sql('select count(*), sum(cents) from sales.orders'), before);
  assert.deepEqual(page.problems, []);
});

test('a table at read_write is written unasked in the normalised text, others are asked about', async (t) => {
  const { server, page, sourceId, clientId, agent, request } = await prepare(t, 'clerk', 'ask');
  const status = await page.evaluate(async (sharing) => {
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch('api/sharing/table', { method: 'PUT', headers, body: JSON.stringify(sharing) })).status;
  }, {
    source_id: sourceId,
    audience: { client_id: clientId },
    table: { schema: 'sales', name: 'orders' },
    level: 'read_write',
  });
  assert.equal(status, 204);
  const asked = await request(UPDATE);
  const { result } = await agent.outcome(asked.request_id);
  assert.equal(result.affected_rows, 1);
  assert.equal(rowOf(server, 1), 'Ana|5');
  assert.ok(!(await activityOf(page, asked.request_id)).includes('request_allowed'), 'nobody was asked');
  const texts = (await entriesOf(page, asked.request_id)).map((entry) => entry.sql);
  const normalised = `UPDATE "sales"."orders"\nSET "cents" = 5\nWHERE "buyer" = 'Ana'`;
  assert.ok(texts.includes(normalised), texts.join('\n'));
  assert.equal(await page.getByTestId('queue-count').textContent(), '0');

  // A clause that a write of one table does not have makes it a statement like any other.
  const other = await request('delete from sales.orders where id = 2 returning buyer');
  assert.equal(other.status, 'pending');
  await prompt(page, other.request_id).getByTestId('deny').click();
  assert.equal((await agent.outcome(other.request_id)).status, 'denied');
  assert.equal(rowOf(server, 2), 'さくら|-1');
  assert.deepEqual(page.problems, []);
});
