// A tool, not a test: pictures of every page and of a prompt, light and dark, on a desk and in a
// pocket. `node tests/e2e/screenshots.mjs FOLDER`

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Agent } from './support/agent.mjs';
import { launch } from './support/browser.mjs';
import { Person } from './support/person.mjs';
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

async function take(t, folder) {
  const { person, ask } = await story(t);
  const browser = await launch();
  t.after(() => browser.close());
  const views = [];
  for (const size of SIZES) {
    for (const theme of THEMES) {
      views.push({ name: `${theme}-${size.width}`, shown: await page(browser, person, size, theme) });
    }
  }
  const picture = ({ shown, name }, what) =>
    shown.screenshot({ path: path.join(folder, `${what}-${name}.png`), animations: 'disabled' });
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

const folder = process.argv[2];
if (!folder) throw new Error('usage: node tests/e2e/screenshots.mjs FOLDER');
await mkdir(folder, { recursive: true });
const undo = [];
try {
  await take({ after: (step) => undo.push(step) }, folder);
} finally {
  for (const step of undo.reverse()) await step();
}
