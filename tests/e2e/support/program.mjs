// The program under test, each time in a folder of its own and on ports that the system picks.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterwards } from './cleanup.mjs';
import { AGENTS, checkFolder, checkLog, hide } from './leaks.mjs';
import { PROGRAM } from './paths.mjs';
import { Child } from './process.mjs';

/** Enough to see where and why. */
const PANIC_CHARS_SHOWN = 1_000;

/** A folder that is gone after the test. */
export async function folder(t) {
  const made = await mkdtemp(path.join(tmpdir(), 'dbeast-e2e-'));
  hide('a temporary folder', path.basename(made), [AGENTS]);
  afterwards(t, () => rm(made, { recursive: true, force: true }));
  return made;
}

/** The program with any arguments; it is stopped after the test if it still runs, and then it must have told nobody. */
export function run(t, args, options) {
  const child = new Child(PROGRAM, args, options);
  afterwards(t, async () => {
    const { stdout, stderr } = await child.stop();
    assert.ok(!stderr.includes('panicked'), stderr.slice(0, PANIC_CHARS_SHOWN));
    checkLog(stdout, 'standard output');
    checkLog(stderr, 'standard error');
    const option = args.indexOf('--config-dir');
    if (option >= 0) await checkFolder(args[option + 1]);
  });
  return child;
}

/** The arguments of a fresh program that keeps nothing and tells its addresses in JSON. */
export async function fresh(t) {
  const config = path.join(await folder(t), 'config');
  return ['--config-dir', config, '--vault', 'memory', '--ui-port', '0', '--mcp-port', '0', '--no-open', '--json'];
}

/** Starts it and reads the first line: `{child, uiUrl, mcpUrl, clientToken?}`. */
export async function start(t, args, options) {
  const child = run(t, args ?? (await fresh(t)), options);
  const { ui_url: uiUrl, mcp_url: mcpUrl, client_token: clientToken } = JSON.parse(await child.line());
  return { child, uiUrl, mcpUrl, clientToken };
}
