// A tool, not a test: pictures of every page, of forms and of prompts, for a file and for a server, light and dark,
// on a desk and in a pocket. `node tests/e2e/screenshots.mjs FOLDER`

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Agent } from './support/agent.mjs';
import { launch } from './support/browser.mjs';
import { changeSource, fillServer } from './support/page.mjs';
import { Person } from './support/person.mjs';
import { postgres } from './support/postgres.mjs';
import { start } from './support/program.mjs';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark'];
const PAGES = ['sources', 'connections', 'sharing', 'activity'];

const FIRST = 'select status, count(*) as orders from main.orders group by status order by status';
const SECOND = `select c.country, count(*) as orders, sum(o.total_cents) as revenue_cents
  from main.orders o join main.customers c on c.id = o.customer_id
  where o.status <> 'returned' group by c.country order by revenue_cents desc limit 10`;

const READ = 'select buyer, cents from sales.orders order by id';
const WRITE = `update sales.orders
  set cents = cents + 100 -- the fee that was agreed for March
  where buyer in ('Ana', 'さくら') and noted_on < '2026-03-01'`;

/** A server whose account may change one table, and an agent that has read, was refused, and may ask. */
async function storyOfServer(t) {
  const server = await postgres(t);
  const { uiUrl, mcpUrl } = await start(t);
  const person = await Person.enter(uiUrl);
  const { source_id: sourceId } = await person.addServer('Shop in production', server.account('clerk'));
  const { client_id: clientId, token } = await person.createClient('Bookkeeper');
  await person.share(sourceId, { client_id: clientId }, 'read');
  const agent = await Agent.connect(t, { mcpUrl, token });
  await agent.beginSession('corrections for March');
  const request = (tool, sql) =>
    agent.call(tool, { source_id: sourceId, sql, request_key: crypto.randomUUID() });
  for (const sql of [READ, 'select id from sales.parts']) {
    const { request_id: asked } = await request('query_sql', sql);
    await agent.outcome(asked);
  }
  const { request_id: refused } = await request('request_sql', 'delete from sales.wages');
  await person.allow(refused);
  await agent.outcome(refused);
  return { server, person, ask: () => request('request_sql', WRITE) };
}

/** The demonstration with an answered and a waiting question. */
async function story(t) {
  const { uiUrl, mcpUrl, clientToken: token } = await start(t, ['demo', '--json', '--no-open']);
  const person = await Person.enter(uiUrl);
  const agent = await Agent.connect(t, { mcpUrl, token });
  await agent.beginSession('monthly revenue report');
  const { sources } = await agent.call('list_catalog');
  const { request_id: first } = await agent.query(sources[0].source_id, FIRST);
  await person.allow(first);
  await agent.outcome(first);
  const ask = () => agent.query(sources[0].source_id, SECOND);
  return { person, ask };
}

async function page(browser, person, viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme });
  const [name, value] = person.cookie.split('=');
  await context.addCookies([{ name, value, url: person.origin }]);
  const opened = await context.newPage();
  await opened.goto(person.origin);
  await opened.locator('[data-testid=connection-state][data-phase=live]').waitFor();
  return opened;
}

async function viewsOf(browser, person) {
  const views = [];
  for (const size of SIZES) {
    for (const theme of THEMES) {
      views.push({ name: `${theme}-${size.width}`, shown: await page(browser, person, size, theme) });
    }
  }
  return views;
}

async function take(t, browser, folder) {
  const { person, ask } = await story(t);
  const views = await viewsOf(browser, person);
  const picture = pictures(folder);
  for (const view of views) await picture(view, 'calm');
  await ask();
  for (const view of views) {
    // Until the controls are awake.
    await view.shown.locator('[data-testid=allow-once][aria-disabled=false]').waitFor();
    await picture(view, 'prompt');
    for (const name of PAGES) {
      await view.shown.getByTestId(`nav-${name}`).click();
      await view.shown.locator('h1').filter({ hasText: new RegExp(`^${name}$`, 'i') }).waitFor();
      await picture(view, name);
    }
  }
}

async function takeServer(t, browser, folder) {
  const { server, person, ask } = await storyOfServer(t);
  const views = await viewsOf(browser, person);
  const picture = pictures(folder);
  for (const view of views) {
    const { shown } = view;
    const wrong = { ...server.account('reader'), password: 'not this one' };
    await fillServer(shown, 'Shop, read only', wrong);
    await picture(view, 'server-form');
    await shown.getByTestId('source-submit').click();
    await shown.getByTestId('source-form').getByTestId('problem').scrollIntoViewIfNeeded();
    await picture(view, 'server-refused');
    await shown.getByTestId('source-settings').click();
    await shown.getByTestId('source-lock-weak').check();
    await shown.getByTestId('source-change-yes').scrollIntoViewIfNeeded();
    await picture(view, 'server-settings');
    await shown.getByRole('button', { name: 'Leave as it is' }).click();
    await shown.getByTestId('nav-activity').click();
    await shown.getByTestId('activity-row').first().waitFor();
    await picture(view, 'server-activity');
    await shown.getByTestId('nav-approvals').click();
  }
  await ask();
  for (const view of views) {
    await view.shown.locator('[data-testid=allow-once][aria-disabled=false]').waitFor();
    await view.shown.getByTestId('estimate').waitFor();
    await picture(view, 'server-prompt');
    await view.shown.getByTestId('estimate').locator('summary').click();
    await view.shown.getByTestId('allow-more').click();
    await picture(view, 'server-prompt-open');
  }
  const [{ shown }] = views;
  await changeSource(shown, (settings) => settings.getByTestId('source-lock-weak').check());
  for (const view of views) {
    await view.shown.getByTestId('nav-sources').click();
    await view.shown.getByTestId('source-row').filter({ hasText: 'Weaker read lock' }).waitFor();
    await picture(view, 'server-weaker');
  }
}

const pictures = (folder) => ({ shown, name }, what) =>
  shown.screenshot({ path: path.join(folder, `${what}-${name}.png`), animations: 'disabled' });

const folder = process.argv[2];
if (!folder) throw new Error('usage: node tests/e2e/screenshots.mjs FOLDER');
await mkdir(folder, { recursive: true });
const undo = [];
try {
  const t = { after: (step) => undo.push(step) };
  const browser = await launch();
  t.after(() => browser.close());
  await take(t, browser, folder);
  await takeServer(t, browser, folder);
} finally {
  for (const step of undo.reverse()) await step();
}
