// Statements that may write: asked for by name, shown with their boundary and an estimate, decided, and done once.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { database } from './support/database.mjs';
import { activityOf, addSource, createClient, go, open, prompt, share } from './support/page.mjs';
import { start } from './support/program.mjs';

const UPDATE = 'update main.ledger\n  set cents = 5 -- as agreed\n  where id = 3';

async function prepare(t, level, options) {
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const sourceId = await addSource(page, 'Ledger', await database(t));
  const { clientId, token } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, level, options);
  const agent = await Agent.connect(t, { mcpUrl: program.mcpUrl, token });
  await agent.beginSession('corrections');
  const request = (sql, key = crypto.randomUUID()) =>
    agent.call('request_sql', { source_id: sourceId, sql, request_key: key });
  return { page, sourceId, clientId, agent, request };
}

/** What an agent that may read finds there. */
async function cents(agent, page, sourceId) {
  const asked = await agent.query(sourceId, 'select cents from main.ledger where id = 3');
  if (asked.status === 'pending') {
    await prompt(page, asked.request_id).getByTestId('allow-once').click();
  }
  return (await agent.outcome(asked.request_id)).result.rows[0][0];
}

test('a statement is shown as it is with its boundary and an estimate, allowed once and done once', async (t) => {
  const { page, sourceId, agent, request } = await prepare(t, 'ask');
  await go(page, 'approvals');
  const key = crypto.randomUUID();
  const asked = await request(UPDATE, key);
  assert.equal(asked.status, 'pending');
  const shown = prompt(page, asked.request_id);
  assert.equal(await shown.getByTestId('prompt-sql').textContent(), UPDATE);
  const boundary = await shown.getByTestId('full-sql-boundary').textContent();
  assert.match(boundary, /Full SQL is not a sandbox\./);
  await shown.getByTestId('estimate').waitFor();
  assert.match(await shown.getByTestId('estimate').textContent(), /Estimate.*Nothing ran yet/s);
  const waiting = await agent.call('get_request', { request_id: asked.request_id });
  assert.ok(!JSON.stringify(waiting).includes('ledger'), 'the estimate is for the person alone');

  // Nothing wider is chosen beforehand.
  assert.equal(await shown.getByTestId('allow-full_sql').count(), 0);
  await shown.getByTestId('allow-once').click();
  const { status, result } = await agent.outcome(asked.request_id);
  assert.deepEqual([status, result.affected_rows, result.rows], ['completed', 1, []]);
  assert.ok(result.guards.length > 0);
  assert.equal((await request(UPDATE, key)).request_id, asked.request_id, 'one intent runs once');
  const events = await activityOf(page, asked.request_id);
  assert.deepEqual(
    events.filter((event) => event !== 'request_submitted'),
    ['request_allowed', 'request_started', 'request_completed'],
  );
  assert.equal(await cents(agent, page, sourceId), '5');
  assert.deepEqual(page.problems, []);
});

test('a denied statement changes nothing, and what SQLite never runs is said', async (t) => {
  const { page, sourceId, agent, request } = await prepare(t, 'ask');
  await go(page, 'approvals');
  const denied = await request('delete from main.ledger');
  await prompt(page, denied.request_id).getByTestId('deny').click();
  assert.equal((await agent.outcome(denied.request_id)).status, 'denied');
  const blocked = await request("attach database '/tmp/elsewhere.db' as other");
  await prompt(page, blocked.request_id).getByTestId('allow-once').click();
  const { status, error } = await agent.outcome(blocked.request_id);
  assert.deepEqual([status, error.reason], ['failed', 'statement_blocked']);
  assert.equal(await cents(agent, page, sourceId), '0');
});

test('Full SQL for the session covers the next statement until it is taken back', async (t) => {
  const { page, agent, request } = await prepare(t, 'ask');
  await go(page, 'approvals');
  const first = await request('create table main.notes(id integer primary key, words text)');
  const shown = prompt(page, first.request_id);
  await shown.getByTestId('allow-more').click();
  await shown.getByTestId('allow-full_sql').click();
  assert.equal((await agent.outcome(first.request_id)).status, 'completed');
  const second = await request("insert into notes(words) values ('one'), ('two')");
  const done = await agent.outcome(second.request_id);
  assert.deepEqual([done.status, done.result.affected_rows], ['completed', 2]);
});

test('a source at read_write is written unasked, and not any more once it is read-only', async (t) => {
  const { page, sourceId, clientId, agent, request } = await prepare(t, 'read_write', { writes: true });
  const asked = await request(UPDATE);
  assert.equal((await agent.outcome(asked.request_id)).result.affected_rows, 1);
  assert.ok(!(await activityOf(page, asked.request_id)).includes('request_allowed'), 'nobody was asked');
  assert.equal(await cents(agent, page, sourceId), '5');

  await go(page, 'sources');
  await page.getByTestId('source-settings').click();
  await page.getByTestId('source-read-only').click();
  await page.getByTestId('source-change-yes').click();
  await page.getByTestId('source-row').filter({ hasText: 'Read-only' }).waitFor();
  const { sources } = await agent.call('list_catalog');
  assert.equal(sources[0].shared_access, 'read');
  assert.ok(!sources[0].operations.includes('request_sql'));
  const refused = await agent.refused('request_sql', {
    source_id: sourceId,
    sql: UPDATE,
    request_key: crypto.randomUUID(),
  });
  assert.equal(refused.code, 'permission_denied');
  assert.equal(await cents(agent, page, sourceId), '5');
  await go(page, 'sharing');
  await page.getByTestId(`share-${sourceId}-${clientId}`).waitFor();
  assert.deepEqual(page.problems, []);
});
