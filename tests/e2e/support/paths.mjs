// Where things are. Nothing here is about a particular machine.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(fileURLToPath(import.meta.url), '../../../..');

const target = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** The program under test. */
export const PROGRAM = process.env.DBEAST_PROGRAM ?? path.join(target, 'debug/dbeast');

/** A Python with the packages of requirements.txt. */
export const PYTHON = process.env.DBEAST_PYTHON ?? path.join(ROOT, '.venv/bin/python');

export const CHROMIUM = process.env.DBEAST_CHROMIUM ?? '/usr/bin/chromium';

export const INSPECTOR = path.join(ROOT, 'tests/e2e/node_modules/.bin/mcp-inspector');

export const support = (name) => path.join(ROOT, 'tests/e2e/support', name);
