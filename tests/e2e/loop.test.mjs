// The whole loop, as a person and an agent go through it: a source, a connection, a question, a
// prompt in the page, a decision, an answer.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent, ERAS } from './support/agent.mjs';
import { database, QUESTION, ROWS } from './support/database.mjs';
import { activityOf, addSource, createClient, go, open, prompt, share } from './support/page.mjs';
import { start } from './support/program.mjs';

/** How soon after the agent's call the person must see the prompt. */
const PROMPT_MS_MAX = 1_000;

/** Everything up to the question: a source that is shared with one connection at a level. */
async function prepare(t, level, era) {
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const sourceId = await addSource(page, 'Ledger', await database(t));
  const { clientId, token, configuration } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, level);
  const agent = await Agent.connect(t, { mcpUrl: program.mcpUrl, token }, era);
  return { program, page, sourceId, clientId, token, configuration, agent };
}

/** How long a plain call takes, in the middle of five. */
async function roundTrip(agent) {
  const took = [];
  for (let i = 0; i < 5; i += 1) {
    const before = performance.now();
    await agent.call('list_catalog');
    took.push(performance.now() - before);
  }
  return took.sort((a, b) => a - b)[2];
}

for (const era of ERAS) {
  test(`a question is asked, shown, allowed once and answered exactly (protocol ${era})`, async (t) => {
    const { program, page, sourceId, token, configuration, agent } = await prepare(t, 'ask', era);
    assert.ok(configuration.includes(program.mcpUrl) && configuration.includes(token));
    assert.ok(!(await page.content()).includes(token), 'the token is shown once');

    const tools = (await agent.tools()).map((tool) => tool.name);
    for (const name of ['begin_session', 'list_catalog', 'query_sql', 'get_request', 'end_session']) {
      assert.ok(tools.includes(name), name);
    }
    const { session_token: sessionToken } = await agent.beginSession('monthly report');
    const { sources } = await agent.call('list_catalog');
    assert.deepEqual(sources.map((source) => [source.source_id, source.shared_access]), [[sourceId, 'ask']]);
    assert.ok(!JSON.stringify(sources).includes('Ledger'), 'agents see the alias only');

    const plain = await roundTrip(agent);
    await go(page, 'approvals');
    await page.evaluate(() => (window.notReloaded = true));
    const appeared = page.getByTestId('prompt').waitFor().then(() => performance.now());
    const key = crypto.randomUUID();
    const called = performance.now();
    const asked = await agent.query(sourceId, QUESTION, key);
    const waited = (await appeared) - called;
    t.diagnostic(
      `measured: the prompt was there ${waited.toFixed(0)} ms after the call, ` +
        `${(waited / plain).toFixed(1)} × a plain list_catalog (${plain.toFixed(1)} ms)`,
    );
    assert.equal(asked.status, 'pending');
    assert.equal(asked.result, null);
    assert.ok(waited < PROMPT_MS_MAX, `${waited} ms`);
    assert.ok(await page.evaluate(() => window.notReloaded), 'the page was not reloaded');

    const shown = prompt(page, asked.request_id);
    const sql = await shown.getByTestId('prompt-sql').textContent();
    assert.match(sql, /from\s+"?main"?\."?ledger"?/i);
    assert.match(await shown.textContent(), /Bookkeeper.*monthly report/s);
    await shown.getByTestId('allow-once').click();

    const { status, result } = await agent.outcome(asked.request_id);
    assert.equal(status, 'completed');
    assert.deepEqual(result.columns, ['id', 'owner', 'cents', 'seal', 'note']);
    assert.deepEqual(result.rows, ROWS);
    assert.equal(result.truncated, false);

    const again = await agent.query(sourceId, QUESTION, key);
    assert.equal(again.request_id, asked.request_id, 'one intent is one request');
    const other = await agent.refused('query_sql', { source_id: sourceId, sql: 'select 1 as one', request_key: key });
    assert.equal(other.code, 'request_conflict');
    const events = await activityOf(page, asked.request_id);
    assert.deepEqual(
      events.filter((event) => event !== 'request_submitted'),
      ['request_allowed', 'request_started', 'request_completed'],
    );
    await go(page, 'activity');
    const started = page.locator('[data-testid=activity-row][data-event=request_started]');
    // The page shows its rows a moment after it was opened.
    await started.first().waitFor();
    assert.equal(await started.count(), 1, 'it ran once');

    await page.reload();
    await page.getByTestId('nav-connections').click();
    await page.getByTestId('client-row').waitFor();
    assert.ok(!(await page.content()).includes(token), 'no page shows the token again');
    const said = program.child.stdout + program.child.stderr;
    assert.ok(!said.includes(token) && !said.includes(sessionToken), 'no log holds a token');
    assert.deepEqual(page.problems, []);
  });
}

test('a denied question brings the note and no rows', async (t) => {
  const { page, sourceId, agent } = await prepare(t, 'ask');
  await agent.beginSession('curious');
  await go(page, 'approvals');
  const asked = await agent.query(sourceId, QUESTION);
  const shown = prompt(page, asked.request_id);
  await shown.getByTestId('deny-note').fill('Ask me for the totals only.');
  await shown.getByTestId('deny').click();
  await shown.waitFor({ state: 'detached' });

  const answer = await agent.outcome(asked.request_id);
  assert.equal(answer.status, 'denied');
  assert.equal(answer.error.code, 'permission_denied');
  assert.equal(answer.note, 'Ask me for the totals only.');
  assert.equal(answer.result, null);
  assert.ok(!JSON.stringify(answer).includes('さくら'));
  assert.ok(!(await activityOf(page, asked.request_id)).includes('request_started'));
  assert.deepEqual(page.problems, []);
});

test('a request that the agent takes back leaves the page by itself', async (t) => {
  const { page, sourceId, agent } = await prepare(t, 'ask');
  await agent.beginSession('hesitant');
  await go(page, 'approvals');
  const asked = await agent.query(sourceId, QUESTION);
  await prompt(page, asked.request_id).getByTestId('allow-once').waitFor();
  const cancelled = await agent.call('cancel_request', { request_id: asked.request_id });
  assert.equal(cancelled.status, 'cancelled');
  await page.getByTestId('prompt-closed').waitFor();
  assert.equal(await page.getByTestId('allow-once').count(), 0);
});

test('Stop all ends the session and its waiting request', async (t) => {
  const { page, sourceId, agent } = await prepare(t, 'ask');
  await agent.beginSession('long work');
  await go(page, 'approvals');
  const asked = await agent.query(sourceId, QUESTION);
  await prompt(page, asked.request_id).waitFor();
  await page.getByTestId('stop-all').click();
  await page.getByTestId('stop-all-confirm').click();
  await page.getByTestId('queue-count').filter({ hasText: /^0$/ }).waitFor();
  const error = await agent.refused('get_request', { request_id: asked.request_id });
  assert.equal(error.code, 'session_expired');
});
