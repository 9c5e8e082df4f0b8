// Accidents at the prompt: keys and clicks that were already on their way.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { activityOf, open, prompt } from './support/page.mjs';
import { start } from './support/program.mjs';

/** How long the controls stay asleep, with room to spare. */
const ARMED_AFTER_MS = 1_000;
const QUESTION = 'select id from main.orders order by id limit 3';

/** The demonstration with a waiting question, in a page whose time stands still. */
async function ask(t) {
  const { uiUrl, mcpUrl, clientToken: token } = await start(t, ['demo', '--json', '--no-open']);
  const page = await open(t, uiUrl, { frozen: true });
  page.decisions = [];
  page.on('request', (request) => {
    if (/\/(allow|deny)$/.test(request.url())) page.decisions.push(request.url());
  });
  const agent = await Agent.connect(t, { mcpUrl, token });
  await agent.beginSession('in a hurry');
  const { sources } = await agent.call('list_catalog');
  const { request_id: requestId } = await agent.query(sources[0].source_id, QUESTION);
  const shown = prompt(page, requestId);
  await shown.waitFor();
  return { agent, page, requestId, shown, allow: shown.getByTestId('allow-once') };
}

const status = async (agent, requestId) =>
  (await agent.call('get_request', { request_id: requestId })).status;

test('Enter on a prompt that has just appeared decides nothing', async (t) => {
  const { agent, page, requestId, allow } = await ask(t);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await allow.click({ force: true });
  assert.equal(await allow.getAttribute('aria-disabled'), 'true');
  assert.equal(await status(agent, requestId), 'pending');
  assert.deepEqual(page.decisions, []);
  // The same click counts once the controls are awake.
  await page.clock.runFor(ARMED_AFTER_MS);
  await allow.click();
  assert.equal((await agent.outcome(requestId)).status, 'completed');
});

test('Enter on Allow never approves, Space does', async (t) => {
  const { agent, page, requestId, allow } = await ask(t);
  await page.clock.runFor(ARMED_AFTER_MS);
  await allow.focus();
  await page.keyboard.press('Enter');
  assert.equal(await status(agent, requestId), 'pending');
  assert.deepEqual(page.decisions, []);
  await page.keyboard.press('Space');
  assert.equal((await agent.outcome(requestId)).status, 'completed');
});

test('a double click on Allow runs the statement once', async (t) => {
  const { agent, page, requestId, allow } = await ask(t);
  await page.clock.runFor(ARMED_AFTER_MS);
  await allow.dblclick();
  assert.equal((await agent.outcome(requestId)).status, 'completed');
  assert.equal(page.decisions.length, 1);
  const events = await activityOf(page, requestId);
  for (const event of ['request_allowed', 'request_started', 'request_completed']) {
    assert.equal(events.filter((one) => one === event).length, 1, event);
  }
});
