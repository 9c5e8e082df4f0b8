// Standing access is given and taken back in the page, and holds from that moment.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { database, QUESTION, ROWS } from './support/database.mjs';
import { bearer, post } from './support/http.mjs';
import { activityOf, addSource, createClient, go, open, share } from './support/page.mjs';
import { start } from './support/program.mjs';

async function prepare(t) {
  const program = await start(t);
  const page = await open(t, program.uiUrl);
  const sourceId = await addSource(page, 'Ledger', await database(t));
  const { clientId, token } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, 'read');
  const agent = await Agent.connect(t, { mcpUrl: program.mcpUrl, token });
  const { session_token: sessionToken } = await agent.beginSession('monthly report');
  return { ...program, page, sourceId, clientId, token, agent, sessionToken };
}

test('a source that is shared for reading answers unasked until it is unshared', async (t) => {
  const { mcpUrl, page, sourceId, clientId, token, agent, sessionToken } = await prepare(t);
  const asked = await agent.query(sourceId, QUESTION);
  const { status, result } = await agent.outcome(asked.request_id);
  assert.equal(status, 'completed');
  assert.deepEqual(result.rows, ROWS);
  await go(page, 'approvals');
  assert.equal(await page.getByTestId('queue-count').textContent(), '0');
  assert.ok(!(await activityOf(page, asked.request_id)).includes('request_allowed'), 'nobody was asked');

  await share(page, sourceId, clientId, 'none', { narrows: true });
  const error = await agent.refused('query_sql', {
    source_id: sourceId,
    sql: QUESTION,
    request_key: crypto.randomUUID(),
  });
  assert.equal(error.code, 'resource_unavailable');
  assert.deepEqual((await agent.call('list_catalog')).sources, []);
  const taken = await agent.outcome(asked.request_id);
  assert.deepEqual([taken.status, taken.result], ['revoked', null]);

  // An unshared source and one that never was are told apart by nothing.
  const answers = [];
  for (const id of [sourceId, `${sourceId.slice(0, -4)}0000`]) {
    answers.push(
      await post(mcpUrl, {
        headers: bearer(token),
        method: 'tools/call',
        params: {
          name: 'query_sql',
          arguments: {
            session_token: sessionToken,
            source_id: id,
            sql: QUESTION,
            request_key: crypto.randomUUID(),
          },
        },
      }),
    );
  }
  assert.equal(answers[0].status, 200);
  assert.match(answers[0].text, /resource_unavailable/);
  assert.equal(answers[0].text, answers[1].text);
});

test('a revoked connection is shut out at its next call', async (t) => {
  const { mcpUrl, page, token, agent } = await prepare(t);
  await go(page, 'connections');
  const row = page.getByTestId('client-row');
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByTestId('client-revoke-yes').click();
  await row.waitFor({ state: 'detached' });
  await assert.rejects(agent.call('list_catalog'), { status: 401 });
  assert.equal((await post(mcpUrl, { headers: bearer(token) })).status, 401);
});
