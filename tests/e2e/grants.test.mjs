// What the person allows for a session: given at the prompt, seen at the connection, taken back there.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { go, open, prompt, view } from './support/page.mjs';
import { start } from './support/program.mjs';

const ORDERS = 'select id from main.orders order by id limit 3';
const CUSTOMERS = 'select id from main.customers order by id limit 3';

test('a table is allowed for the session and taken back', async (t) => {
  const { uiUrl, mcpUrl, clientToken: token } = await start(t, ['demo', '--json', '--no-open']);
  const page = await open(t, uiUrl);
  const agent = await Agent.connect(t, { mcpUrl, token });
  await agent.beginSession('one table');
  const { sources } = await agent.call('list_catalog');
  const ask = async (sql) => (await agent.query(sources[0].source_id, sql)).request_id;

  const first = await ask(ORDERS);
  const shown = prompt(page, first);
  await shown.getByTestId('allow-more').click();
  await shown.getByTestId('allow-source').waitFor();
  await shown.locator('[data-testid=allow-table][aria-disabled=false]').click();
  assert.equal((await agent.outcome(first)).status, 'completed');

  // The same table needs no question, another one does.
  assert.equal((await agent.outcome(await ask(ORDERS))).status, 'completed');
  const other = await ask(CUSTOMERS);
  const waiting = prompt(page, other);
  await waiting.waitFor();
  assert.equal((await view(page)).requests[other].needs_decision, true);

  await go(page, 'connections');
  const grants = page.getByTestId('grants');
  assert.match(await grants.textContent(), /Allowed for this session\s*Reads of the table main\.orders/);
  await grants.getByTestId('take-back').click();
  await grants.waitFor({ state: 'detached' });
  const again = await ask(ORDERS);
  assert.equal((await agent.call('get_request', { request_id: again })).status, 'pending');
  assert.deepEqual(page.problems, []);
});
