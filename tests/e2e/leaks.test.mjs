// The check that every other test has unasked: what an agent, a log or a file must not hold. Here something of it
// does leak each time, and the check says so.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { database, QUESTION } from './support/database.mjs';
import { bearer, post } from './support/http.mjs';
import { AGENTS, checkAgent, EVERYBODY, FILES, hide, hiddenFromAgents, LOGS } from './support/leaks.mjs';
import { Person } from './support/person.mjs';
import { fresh, start } from './support/program.mjs';

/** What a test is, as far as helpers ask it: its end comes when it is told to. */
function another() {
  const steps = [];
  const end = async () => {
    for (const step of steps) await step();
  };
  return { after: (step) => steps.push(step), end };
}

async function shared(t) {
  const program = await start(t);
  const person = await Person.enter(program.uiUrl);
  const { source_id: sourceId } = await person.addSource('Ledger', await database(t));
  const { client_id: clientId, token } = await person.createClient('Bookkeeper');
  await person.share(sourceId, { client_id: clientId }, 'read');
  return { ...program, sourceId, token };
}

test('a word in a row of an answer is noticed at the answer', async (t) => {
  const { mcpUrl, sourceId, token } = await shared(t);
  const agent = await Agent.connect(t, { mcpUrl, token });
  await agent.beginSession('curious');
  const asked = await agent.query(sourceId, QUESTION);
  assert.equal((await agent.outcome(asked.request_id)).status, 'completed');
  const show = hide('a word of this test', 'It\'s "paid"', [AGENTS]);
  const leaked = /a word of this test .* has leaked to agents, in an answer/;
  await assert.rejects(agent.call('get_request', { request_id: asked.request_id }), leaked);
  show();
});

test('a word in an answer without a client is noticed as well', async (t) => {
  const { mcpUrl, token } = await shared(t);
  const show = hide('a word of that test', 'list_catalog', [AGENTS]);
  const leaked = /a word of that test .* has leaked to agents, in the answer to tools\/list/;
  await assert.rejects(post(mcpUrl, { headers: bearer(token) }), leaked);
  show();
});

test('places of databases, folders and words of drivers are hidden without being named', async (t) => {
  const file = await database(t);
  const { mcpUrl } = await shared(t);
  const words = hiddenFromAgents();
  for (const word of [file, path.basename(path.dirname(file)), 'Ledger', 'no such table', 'FATAL']) {
    assert.ok(words.includes(word), word);
    assert.throws(() => checkAgent({ error: { message: `Not here: ${word}.` } }, 'this test'), /leaked/, word);
  }
  const show = hide('a port', 54_321, [AGENTS]);
  for (const text of ['at 54321', 'db:54321/shop', '54321']) {
    assert.throws(() => checkAgent({ text }, 'this test'), /a port/, text);
  }
  assert.throws(() => checkAgent({ figure: 54_321 }, 'this test'), /a port/);
  checkAgent({ id: 'req_a54321b', figures: [154_321, 543_210], url: mcpUrl }, 'this test');
  show();
});

test('a word in a log is noticed when the program is stopped', async () => {
  const inner = another();
  await start(inner);
  const show = hide('a word of the first line', 'mcp_url', [LOGS]);
  await assert.rejects(inner.end(), /a word of the first line .* has leaked to logs, in standard output/);
  show();
});

test('a word in a kept file is noticed when the program is stopped', async () => {
  const inner = another();
  const args = await fresh(inner);
  await start(inner, args);
  const deep = path.join(args[args.indexOf('--config-dir') + 1], 'deep');
  await mkdir(deep);
  await writeFile(path.join(deep, 'kept'), 'before a password of this test after');
  const show = hide('a password', 'a password of this test', [FILES]);
  await assert.rejects(inner.end(), /a password .* has leaked to files, in kept/);
  show();
});

test('an empty word would be everywhere and is refused', () => {
  assert.throws(() => hide('nothing', '', EVERYBODY), /empty/);
});
