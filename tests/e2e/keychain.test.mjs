// What outlives the program: sources in the configuration folder, connections and sharing in the
// system's keychain, and a token nowhere.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { database, QUESTION, ROWS } from './support/database.mjs';
import { bearer, post } from './support/http.mjs';
import { keychain } from './support/keychain.mjs';
import { Person } from './support/person.mjs';
import { postgres } from './support/postgres.mjs';
import { folder, start } from './support/program.mjs';

async function everything(config) {
  const files = await readdir(config);
  const contents = await Promise.all(files.map((file) => readFile(path.join(config, file), 'utf8')));
  return contents.join('\n');
}

function inKeychain(config) {
  return ['--config-dir', config, '--vault', 'keychain', '--ui-port', '0', '--mcp-port', '0', '--no-open', '--json'];
}

test('a connection in the keychain opens the door again after a restart, until it is revoked', async (t) => {
  const env = await keychain(t);
  const config = path.join(await folder(t), 'config');
  const again = () => start(t, inKeychain(config), { env });

  const first = await again();
  const person = await Person.enter(first.uiUrl);
  assert.deepEqual((await person.view()).notices, {});
  const { source_id: sourceId } = await person.addSource('Ledger', await database(t));
  const { client_id: clientId, token } = await person.createClient('Bookkeeper');
  await person.share(sourceId, { client_id: clientId }, 'read');
  await first.child.stop();
  const kept = await everything(config);
  assert.equal(JSON.parse(await readFile(path.join(config, 'config.json'), 'utf8')).mcp_state_saved, true);
  assert.ok(!kept.includes(token) && !kept.includes(clientId), 'the folder knows no connection');

  const second = await again();
  const agent = await Agent.connect(t, { mcpUrl: second.mcpUrl, token });
  await agent.beginSession('after the restart');
  const asked = await agent.query(sourceId, QUESTION);
  assert.deepEqual((await agent.outcome(asked.request_id)).result.rows, ROWS);
  const later = await Person.enter(second.uiUrl);
  await later.call('DELETE', `/api/clients/${clientId}`);
  await second.child.stop();

  const third = await again();
  assert.equal((await post(third.mcpUrl, { headers: bearer(token) })).status, 401);
  const view = await (await Person.enter(third.uiUrl)).view();
  assert.deepEqual(view.clients, {});
  assert.deepEqual(Object.values(view.sources).map((source) => [source.name, source.shared]), [['Ledger', {}]]);
});

test('the password of a server opens it again after a restart, and stands in no file', async (t) => {
  const env = await keychain(t);
  const server = await postgres(t);
  const config = path.join(await folder(t), 'config');
  const again = () => start(t, inKeychain(config), { env });

  const first = await again();
  const person = await Person.enter(first.uiUrl);
  const account = server.account('clerk');
  const { source_id: sourceId } = await person.addServer('Shop', account);
  const { client_id: clientId, token } = await person.createClient('Bookkeeper');
  await person.share(sourceId, { client_id: clientId }, 'read');
  await first.child.stop();
  const kept = await everything(config);
  assert.ok(kept.includes(account.host) && kept.includes(account.user), 'the folder knows the server');
  assert.ok(!kept.includes(JSON.stringify(account.password)) && !kept.includes(account.password));

  const second = await again();
  const agent = await Agent.connect(t, { mcpUrl: second.mcpUrl, token });
  await agent.beginSession('after the restart');
  const asked = await agent.query(sourceId, 'select id from sales.orders order by id');
  assert.deepEqual((await agent.outcome(asked.request_id)).result.rows, [['1'], ['2'], ['3']]);
});

test('what was revoked stays revoked even if the program is cut off right after the answer', async (t) => {
  const env = await keychain(t);
  const config = path.join(await folder(t), 'config');
  const again = () => start(t, inKeychain(config), { env });

  let program = await again();
  const first = await Person.enter(program.uiUrl);
  const { source_id: sourceId } = await first.addSource('Ledger', await database(t));
  await program.child.stop();
  program = await again();
  for (let round = 1; round <= 3; round += 1) {
    const person = await Person.enter(program.uiUrl);
    const { client_id: clientId, token } = await person.createClient(`Bookkeeper ${round}`);
    assert.equal((await post(program.mcpUrl, { headers: bearer(token) })).status, 200);
    // Answered when it is kept: from here on the keychain knows the connection.
    await person.share(sourceId, { client_id: clientId }, 'read');
    await person.call('DELETE', `/api/clients/${clientId}`);
    await program.child.cutOff();
    program = await again();
    assert.equal((await post(program.mcpUrl, { headers: bearer(token) })).status, 401, `round ${round}`);
  }
});

test('without a keychain the program works and says that nothing is kept', async (t) => {
  const nowhere = await folder(t);
  const env = { HOME: nowhere, XDG_RUNTIME_DIR: nowhere, DBUS_SESSION_BUS_ADDRESS: `unix:path=${nowhere}/none` };
  const { child, uiUrl, mcpUrl } = await start(t, inKeychain(path.join(nowhere, 'config')), { env });
  const person = await Person.enter(uiUrl);
  const { token } = await person.createClient('Bookkeeper');
  assert.equal((await post(mcpUrl, { headers: bearer(token) })).status, 200);
  const { stderr } = await child.stop();
  assert.match(stderr, /could not be kept/);
});
