// Another official client that shares no code with ours or with Python's: the MCP Inspector.

import assert from 'node:assert/strict';
import test from 'node:test';
import { checkAgent } from './support/leaks.mjs';
import { INSPECTOR } from './support/paths.mjs';
import { Person } from './support/person.mjs';
import { Child } from './support/process.mjs';
import { folder, start } from './support/program.mjs';

for (const era of ['legacy', 'modern']) {
  test(`the Inspector lists the tools and completes a query (protocol era ${era})`, async (t) => {
    const { uiUrl, mcpUrl, clientToken } = await start(t, ['demo', '--json', '--no-open']);
    const person = await Person.enter(uiUrl);
    // It keeps a folder of its own in the home folder.
    const env = { HOME: await folder(t) };
    const inspect = async (...args) => {
      const door = ['--cli', mcpUrl, '--transport', 'http', '--protocol-era', era];
      const key = ['--header', `Authorization: Bearer ${clientToken}`, '--stored-auth-only'];
      const { code, stdout, stderr } = await new Child(INSPECTOR, [...door, ...key, ...args], { env }).ended();
      assert.equal(code, 0, stderr);
      const answer = JSON.parse(stdout);
      checkAgent(answer, `what the Inspector got of ${args.join(' ')}`);
      return answer;
    };
    const call = async (name, args) => {
      const told = ['--tool-name', name, '--tool-args-json', JSON.stringify(args)];
      const { isError, structuredContent } = await inspect('--method', 'tools/call', ...told);
      assert.ok(!isError, JSON.stringify(structuredContent));
      return structuredContent;
    };

    const { tools } = await inspect('--method', 'tools/list');
    assert.ok(tools.some((tool) => tool.name === 'query_sql'));
    for (const tool of tools) assert.equal(tool.inputSchema.additionalProperties, false, tool.name);

    const { session_token } = await call('begin_session', { label: 'inspector' });
    const { sources } = await call('list_catalog', { session_token });
    const asked = await call('query_sql', {
      session_token,
      source_id: sources[0].source_id,
      sql: 'select count(*) as orders from main.orders',
      request_key: crypto.randomUUID(),
    });
    assert.equal(asked.status, 'pending');
    await person.allow(asked.request_id);
    const answer = await call('get_request', { session_token, request_id: asked.request_id });
    assert.equal(answer.status, 'completed');
    assert.deepEqual(answer.result.rows, [['3000']]);
  });
}
