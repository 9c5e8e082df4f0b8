// The program as a terminal sees it: how it starts, what it refuses to start with, how it ends.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { afterwards } from './support/cleanup.mjs';
import { Child, END_MS_MAX } from './support/process.mjs';
import { folder, fresh, run, start } from './support/program.mjs';
import { PROGRAM } from './support/paths.mjs';

test('options that would be ignored, and one port for both doors, are refused', async (t) => {
  const config = (await fresh(t)).slice(0, 2);
  for (const args of [
    ['--json', 'demo'],
    ['demo', '--script', '--json'],
    [...config, '--vault', 'memory', '--no-open', '--ui-port', '5', '--mcp-port', '5'],
  ]) {
    const { code, stdout, stderr } = await run(t, args).ended();
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, /^error: /m);
    assert.equal(stdout, '');
  }
});

test('a configuration with an unknown key does not start and names the key', async (t) => {
  const args = await fresh(t);
  const config = args[args.indexOf('--config-dir') + 1];
  await mkdir(config, { mode: 0o700 });
  const content = { version: 1, owner: 'test', mcp_state_saved: false, sources: [], colour: 'blue' };
  await writeFile(path.join(config, 'config.json'), JSON.stringify(content));
  const { code, stdout, stderr } = await run(t, args).ended();
  assert.notEqual(code, 0);
  assert.match(stderr, /colour/);
  assert.match(stderr, /config\.json/);
  assert.match(stderr, /^hint: /m);
  assert.equal(stdout, '');
});

test('a port in use is named with the flag that chooses another', async (t) => {
  const blocker = createServer().listen(0, '127.0.0.1');
  afterwards(t, () => blocker.close());
  await once(blocker, 'listening');
  const { port } = blocker.address();
  const args = await fresh(t);
  args[args.indexOf('--mcp-port') + 1] = String(port);
  const { code, stdout, stderr } = await run(t, args).ended();
  assert.notEqual(code, 0);
  assert.ok(stderr.includes(String(port)) && stderr.includes('--mcp-port'), stderr);
  assert.equal(stdout, '');
});

test('two programs do not share a configuration folder', async (t) => {
  const args = await fresh(t);
  await start(t, args);
  const { code, stderr } = await run(t, args).ended();
  assert.notEqual(code, 0);
  assert.match(stderr, /already/);
});

test('an unknown flag ends with its name', async (t) => {
  const { code, stderr } = await run(t, ['--verbose']).ended();
  assert.equal(code, 2);
  assert.match(stderr, /--verbose/);
});

test('without a terminal and without --json nobody is told the link', async (t) => {
  for (const args of [(await fresh(t)).filter((arg) => arg !== '--json'), ['demo', '--no-open']]) {
    const child = run(t, args);
    const first = await child.line();
    assert.match(first, /http:\/\/127\.0\.0\.1:\d+\/mcp/);
    const { code, stdout, stderr } = await child.stop();
    assert.equal(code, 0);
    assert.doesNotMatch(stdout + stderr, /\/open\//);
    assert.doesNotMatch(stdout + stderr, /Bearer/);
  }
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} ends the program soon and without an error`, async (t) => {
    const { child } = await start(t);
    const asked = performance.now();
    const { code } = await child.stop(signal);
    assert.equal(code, 0);
    const took = performance.now() - asked;
    t.diagnostic(`measured: ended ${took.toFixed(0)} ms after ${signal}`);
    assert.ok(took < END_MS_MAX);
  });
}

test('the demonstration plays an approval and a denial and leaves nothing behind', async (t) => {
  const temporary = await folder(t);
  const { code, stdout, stderr } = await run(t, ['demo', '--script'], { env: { TMPDIR: temporary } }).ended();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Allow once/);
  assert.match(stdout, /presses Deny/);
  assert.match(stdout, /permission_denied/);
  assert.doesNotMatch(stdout + stderr, /\/open\/|Bearer/);
  assert.deepEqual(await readdir(temporary), []);
});

test('verify answers each line and reports the wrong one', async (t) => {
  const file = path.join(await folder(t), 'cases.jsonl');
  const lines = [
    '{"id": 1, "sql": "select id from main.orders"}',
    '{"id": "two", "sql": "delete from main.orders"}',
  ];
  const verify = async (text) => {
    await writeFile(file, `${text}\n`);
    const end = await new Child(PROGRAM, ['verify', '--dialect', 'sqlite', file]).ended();
    return { ...end, answers: end.stdout.trim().split('\n').map((line) => JSON.parse(line)) };
  };
  const good = await verify(lines.join('\n'));
  assert.equal(good.code, 0, good.stderr);
  assert.deepEqual(good.answers.map(({ id, verdict }) => [id, verdict]), [[1, 'read'], ['two', 'refused']]);
  assert.deepEqual(good.answers[0].tables, [['main', 'orders']]);
  assert.equal(typeof good.answers[1].reason, 'string');
  const bad = await verify([lines[0], 'not json', lines[1]].join('\n'));
  assert.notEqual(bad.code, 0);
  assert.match(bad.stderr, /line 2/);
  assert.equal(bad.answers.length, 3);
});
