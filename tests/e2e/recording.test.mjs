// The recording: saved from the page after a whole loop, replayed by the program, and a changed byte
// is noticed.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { Agent } from './support/agent.mjs';
import { database, QUESTION, ROWS } from './support/database.mjs';
import { addSource, createClient, go, open, prompt, share } from './support/page.mjs';
import { PROGRAM } from './support/paths.mjs';
import { Child } from './support/process.mjs';
import { folder, start } from './support/program.mjs';

const replay = (...args) => new Child(PROGRAM, ['replay', ...args]).ended();

/** A question that is asked, allowed and answered; then the recording is saved from the page. */
async function record(t) {
  const { uiUrl, mcpUrl } = await start(t);
  const page = await open(t, uiUrl);
  const sourceId = await addSource(page, 'Ledger', await database(t));
  const { clientId, token } = await createClient(page, 'Bookkeeper');
  await share(page, sourceId, clientId, 'ask');
  const agent = await Agent.connect(t, { mcpUrl, token });
  const { session_token: sessionToken } = await agent.beginSession('monthly report');
  await go(page, 'approvals');
  const asked = await agent.query(sourceId, QUESTION);
  await prompt(page, asked.request_id).getByTestId('allow-once').click();
  const { status, result } = await agent.outcome(asked.request_id);
  assert.equal(status, 'completed');
  assert.deepEqual(result.rows, ROWS);

  await go(page, 'activity');
  const saving = page.waitForEvent('download');
  await page.getByTestId('save-recording').click();
  const download = await saving;
  assert.equal(download.suggestedFilename(), 'dbeast-recording.jsonl');
  const file = path.join(await folder(t), download.suggestedFilename());
  await download.saveAs(file);
  await page.getByTestId('diagnostics').locator('summary').click();
  const invariants = await page.getByTestId('invariants').textContent();
  assert.match(invariants, /All \d+ held after every event\./);
  assert.deepEqual(page.problems, []);
  return { file, secrets: [token, sessionToken], text: await readFile(file, 'utf8') };
}

test('the recording that the page saves replays, holds no data, and one changed byte is noticed', async (t) => {
  const { file, secrets, text } = await record(t);
  for (const secret of secrets) assert.ok(!text.includes(secret), 'no token');
  for (const cell of ROWS.flat()) {
    if (typeof cell === 'string' && cell.length > 4) assert.ok(!text.includes(cell), `no cell: ${cell}`);
  }

  const told = await replay(file);
  assert.equal(told.code, 0, told.stderr);
  assert.match(told.stdout, /RequestSubmitted .*query_sql/);
  assert.match(told.stdout, /state {4}requests\..* pending -> running/);
  assert.match(told.stdout, /replayed \d+ events: states, effects and answers are equal/);
  const quiet = await replay('--quiet', file);
  assert.equal(quiet.code, 0);
  assert.match(quiet.stdout, /^replayed [^\n]+\n$/);

  const changed = text.replace('monthly report', 'monthly repost');
  assert.notEqual(changed, text);
  await writeFile(file, changed);
  const other = await replay('--quiet', file);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /^error: line \d+: event \d+ does not lead to/);
  assert.match(other.stderr, /^hint: /m);

  await writeFile(file, text.slice(0, -40));
  const cut = await replay(file);
  assert.equal(cut.code, 2);
  assert.equal(cut.stdout, '', 'nothing of a bad file is told');
  assert.match(cut.stderr, /line \d+: .*\nhint: .*cut off/);
});

test('the recording becomes a story', async (t) => {
  const { file } = await record(t);
  const story = path.join(path.dirname(file), 'a_question_is_answered.story');
  const { code, stderr } = await replay('--quiet', '--story', story, file);
  assert.equal(code, 0, stderr);
  const text = await readFile(story, 'utf8');
  assert.match(text, /^# A question is answered\n/);
  assert.match(text, /^dana shares Ledger with Bookkeeper: ask$/m);
  assert.match(text, /^Bookkeeper queries Ledger$/m);
  assert.match(text, /^dana allows r1$/m);
  assert.match(text, /^Ledger answers \d+ bytes: [0-9a-f]{64}.* for t1$/m);
  const again = await replay('--quiet', '--story', story, file);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /there is a file already/);
});

test('what is no recording is refused with what to do', async (t) => {
  const place = await folder(t);
  const nothing = await replay(path.join(place, 'nothing.jsonl'));
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /nothing\.jsonl: the file cannot be read/);
  const directory = await replay(place);
  assert.equal(directory.code, 2);
  assert.match(directory.stderr, /this is no file/);
  const file = path.join(place, 'notes.txt');
  await writeFile(file, 'hello\n');
  const other = await replay(file);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /line 1: a recording begins with/);
  assert.match(other.stderr, /^hint: .*Save recording/m);
});
