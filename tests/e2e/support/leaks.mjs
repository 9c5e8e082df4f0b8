// What must never reach an agent, a log or a file. Everything that an agent receives in any test passes through
// here, and so does what the program has said and kept when it is stopped.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Who must not see a word. Agents, logs and files are each held to their own list. */
export const AGENTS = 'agents';
export const LOGS = 'logs';
export const FILES = 'files';
export const EVERYBODY = [AGENTS, LOGS, FILES];

/** Words of the engines and of the operating system, which belong to the person: `DatabaseReason` has none of them. */
const DRIVER_WORDS = [
  'os error',
  'Connection refused',
  'No such file',
  'Permission denied',
  'SQLITE_',
  'rusqlite',
  'no such table',
  'no such column',
  'unable to open',
  'malformed',
  'FATAL',
  'SQLSTATE',
  'SCRAM',
  'pg_hba',
  'authentication failed',
  'permission denied for',
  'relation "',
  'column "',
  'does not exist (',
  'syntax error',
  'terminating connection',
  'violates',
  'panicked',
  '.rs:',
];

/** Word to what it is, for each audience. */
const hidden = { [AGENTS]: new Map(), [LOGS]: new Map(), [FILES]: new Map() };
for (const word of DRIVER_WORDS) hidden[AGENTS].set(word, 'a word of a driver');

/** From here on nobody of these may see the word, until what this answers is called. */
export function hide(what, word, from = EVERYBODY) {
  const text = String(word);
  assert.ok(text.length > 0, `${what} is empty and would be found everywhere`);
  for (const audience of from) hidden[audience].set(text, what);
  return () => from.forEach((audience) => hidden[audience].delete(text));
}

/** How many words an agent must not see: for the test of this check itself. */
export const hiddenFromAgents = () => [...hidden[AGENTS].keys()];

/** Throws if an agent has received anything of it: the answer as it came, and decoded. */
export function checkAgent(received, where) {
  for (const text of texts(received)) check(AGENTS, text, where);
}

/** Throws if a log holds anything of it. */
export const checkLog = (text, where) => check(LOGS, text, where);

/** Throws if a file in the folder holds anything of it. */
export async function checkFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    // A program that refused to start has made none.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    check(FILES, await readFile(file, 'latin1'), entry.name);
  }
}

/** An answer as JSON, and each name, text and number in it by itself, where nothing is escaped. */
function texts(received) {
  if (typeof received === 'string') return [received];
  const found = [JSON.stringify(received) ?? ''];
  const walk = (value) => {
    if (value === null || typeof value !== 'object') found.push(String(value));
    else for (const [name, inner] of Object.entries(value)) found.push(name) && walk(inner);
  };
  walk(received);
  return found;
}

function check(audience, text, where) {
  for (const [word, what] of hidden[audience]) {
    if (!holds(text, word)) continue;
    throw new Error(`${what} (${JSON.stringify(word)}) has leaked to ${audience}, in ${where}: ${around(text, word)}`);
  }
}

/** A number stands by itself: its digits may be part of an identifier. */
function holds(text, word) {
  if (!/^[0-9]+$/.test(word)) return text.includes(word);
  return new RegExp(`(?<![0-9A-Za-z_.-])${word}(?![0-9A-Za-z_-])`).test(text);
}

function around(text, word) {
  const at = text.indexOf(word);
  return text.slice(Math.max(0, at - 80), at + word.length + 80);
}
