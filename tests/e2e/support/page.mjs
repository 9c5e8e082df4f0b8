// The person in front of the page: what they see, and the things they do there.

import { after } from 'node:test';
import { launch } from './browser.mjs';
import { afterwards } from './cleanup.mjs';
import { AGENTS, hide, LOGS } from './leaks.mjs';

/** One browser for all tests of a file. */
let browser;
after(async () => (await browser)?.close());

/** The page behind the one-time link, with cookies and storage of its own. */
export async function open(t, uiUrl, { frozen = false } = {}) {
  browser ??= launch();
  const context = await (await browser).newContext();
  afterwards(t, () => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  // Then the page's timers run only when the test says so.
  if (frozen) await page.clock.install();
  await page.goto(uiUrl);
  await page.locator('[data-testid=connection-state][data-phase=live]').waitFor();
  if (frozen) await page.clock.pauseAt(Date.now() + 60_000);
  return page;
}

export const go = (page, name) => page.getByTestId(`nav-${name}`).click();

/** Adds a SQLite file with the form: its id. Only the person knows its name. */
export async function addSource(page, name, path) {
  hide('the name of a source', name, [AGENTS, LOGS]);
  await go(page, 'sources');
  await page.getByTestId('source-name').fill(name);
  await page.getByTestId('source-path').fill(path);
  await page.getByTestId('source-submit').click();
  const row = page.getByTestId('source-row').filter({ hasText: name });
  return row.getAttribute('data-source-id');
}

/** Fills in the form for a database on a server; what is not given is left empty. */
export async function fillServer(page, name, server, engine = 'postgres') {
  hide('the name of a source', name, [AGENTS, LOGS]);
  await go(page, 'sources');
  await page.getByTestId(`source-engine-${engine}`).check();
  await page.getByTestId('source-name').fill(name);
  for (const part of ['host', 'port', 'database', 'user', 'password']) {
    await page.getByTestId(`source-${part}`).fill(String(server[part] ?? ''));
  }
}

/** Adds one with the form: its id. */
export async function addServer(page, name, server, engine) {
  await fillServer(page, name, server, engine);
  await page.getByTestId('source-submit').click();
  const row = page.getByTestId('source-row').filter({ hasText: name });
  return row.getAttribute('data-source-id');
}

/** Opens the settings of the only source, changes something there and says yes. */
export async function changeSource(page, change) {
  await go(page, 'sources');
  const settings = page.getByTestId('settings-of-source');
  if ((await settings.count()) === 0) await page.getByTestId('source-settings').click();
  await change(settings);
  const done = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByTestId('source-change-yes').click();
  return (await done).status();
}

/** Creates a connection with the form: its id, and what was shown this once. */
export async function createClient(page, label) {
  await go(page, 'connections');
  await page.getByTestId('client-label').fill(label);
  await page.getByTestId('client-submit').click();
  const token = await page.getByTestId('client-token').textContent();
  hide('the token of a connection', token);
  const configuration = await page.getByTestId('configuration-text').textContent();
  await page.getByTestId('token-saved').click();
  const row = page.getByTestId('client-row').filter({ hasText: label });
  return { clientId: await row.getAttribute('data-client-id'), token, configuration };
}

/** Chooses a level, and says yes to what narrowing it ends, or to writing unasked. */
export async function share(page, sourceId, audience, level, { narrows = false, writes = false } = {}) {
  await go(page, 'sharing');
  const done = page.waitForResponse((response) => response.url().endsWith('/api/sharing'));
  await page.getByTestId(`share-${sourceId}-${audience}`).selectOption(level);
  if (narrows) await page.getByTestId('share-narrow-yes').click();
  if (writes) await page.getByTestId('share-write-yes').click();
  await done;
}

/** The prompt for a request, wherever the queue has put it. */
export const prompt = (page, requestId) =>
  page.locator(`[data-testid=prompt][data-request-id="${requestId}"]`);

/** What the page itself could see: the program's view. */
export const view = (page) =>
  page.evaluate(async () => (await (await fetch('api/snapshot')).json()).view);

/** Activity entries of one request, oldest first. */
export async function entriesOf(page, requestId) {
  const { activity } = await view(page);
  const entries = Object.keys(activity).sort().map((key) => activity[key]);
  return entries.filter((entry) => entry.request_id === requestId);
}

export async function activityOf(page, requestId) {
  return (await entriesOf(page, requestId)).map((entry) => entry.event);
}
