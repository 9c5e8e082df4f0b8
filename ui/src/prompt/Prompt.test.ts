import { fireEvent, render, screen, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { decisions } from '../state/decisions.svelte';
import { aRequest, NOW } from '../testing/fixtures';
import { aProgram, refusal } from '../testing/program';
import { ARMING_MS } from './arming.svelte';
import Prompt from './Prompt.svelte';

const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });

function show(change: Parameters<typeof aRequest>[0] = {}, props: Record<string, unknown> = {}) {
  return render(Prompt, {
    request: aRequest(change),
    nowMs: NOW + 1000,
    decisionMs: 300_000,
    connected: true,
    closedWhy: null,
    onleave: () => {},
    ...props,
  });
}

const arm = () => vi.advanceTimersByTimeAsync(ARMING_MS);
const allow = () => screen.getByTestId('allow-once');
const deny = () => screen.getByTestId('deny');

/** All that a request must not be able to change about the controls. */
function controls() {
  const prompt = screen.getByTestId('prompt');
  return {
    buttons: within(prompt)
      .getAllByRole('button')
      .map((button) => button.textContent.trim()),
    order: [...prompt.children].map((child) => child.tagName),
    names: [allow(), deny()].map(
      (button) => button.className + button.tagName + button.textContent,
    ),
    note: screen.getByTestId('deny-note').getAttribute('placeholder'),
  };
}

describe('the prompt', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('tells what, where, who, what the choice covers and the time left', () => {
    aProgram();
    show();
    const prompt = screen.getByTestId('prompt');
    expect(prompt.dataset.requestId).toBe('r1');
    expect(screen.getByTestId('prompt-sql').textContent).toBe('SELECT "id" FROM "main"."orders"');
    expect(screen.getByTestId('time-left').textContent).toBe('4:59');
    for (const words of [
      'main.orders',
      'Shop',
      'SQLite',
      '/data/shop.db',
      'SQLite source 1',
      'Editor',
      '“Monthly figures”',
      'the agent’s own words',
      'exactly this statement, one time, at most 500 rows, 30 s',
    ]) {
      expect(prompt.textContent.replace(/\s+/g, ' ')).toContain(words);
    }
  });

  it('focuses Deny and never lets Enter allow, wherever the focus is', async () => {
    const calls = aProgram();
    show();
    expect(document.activeElement).toBe(deny());
    await arm();
    allow().focus();
    await user.keyboard('{Enter}');
    screen.getByTestId('deny-note').focus();
    await user.keyboard('{Enter}');
    expect(calls).toEqual([]);
    deny().focus();
    await user.keyboard('{Enter}');
    expect(calls.map((call) => call.path)).toEqual(['/api/requests/r1/deny']);
  });

  it('allows with Space on the button, so that the keyboard alone is enough', async () => {
    const calls = aProgram();
    show();
    await arm();
    allow().focus();
    await user.keyboard(' ');
    expect(calls).toEqual([{ method: 'POST', path: '/api/requests/r1/allow', body: {} }]);
  });

  it('takes no click and no key before it is armed, and shows that', async () => {
    const calls = aProgram();
    show();
    expect(allow().getAttribute('aria-disabled')).toBe('true');
    await fireEvent.click(allow());
    await fireEvent.click(deny());
    await vi.advanceTimersByTimeAsync(ARMING_MS - 1);
    await fireEvent.click(allow());
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(allow().getAttribute('aria-disabled')).toBe('false');
  });

  it('is armed anew when the window comes back to the front', async () => {
    const calls = aProgram();
    show();
    await arm();
    window.dispatchEvent(new Event('focus'));
    await fireEvent.click(allow());
    expect(calls).toEqual([]);
    await arm();
    await fireEvent.click(allow());
    expect(calls).toHaveLength(1);
  });

  it('ignores a key that is held down', async () => {
    aProgram();
    show();
    await arm();
    expect(await fireEvent.keyDown(deny(), { key: 'Enter', repeat: true })).toBe(false);
    expect(await fireEvent.keyDown(deny(), { key: 'Enter' })).toBe(true);
    expect(await fireEvent.keyDown(allow(), { key: 'Enter' })).toBe(false);
  });

  it('leaves no doubt about what was decided, for a moment', async () => {
    aProgram();
    show({ source_name: 'Shop\u202e' });
    await arm();
    await user.click(deny());
    expect(decisions.last).toContain('Denied: ');
    expect(decisions.last).toContain('on Shop');
    expect(decisions.last).not.toContain('\u202e');
    vi.advanceTimersByTime(10_000);
    expect(decisions.last).toBe('');
  });

  it('sends one call for a double click, and not the other choice either', async () => {
    const calls = aProgram(() => new Promise(() => {}));
    show();
    await arm();
    await user.dblClick(allow());
    await user.click(deny());
    expect(calls.map((call) => call.path)).toEqual(['/api/requests/r1/allow']);
  });

  it('sends the reason with a denial only', async () => {
    const calls = aProgram();
    show();
    await arm();
    const note = screen.getByTestId<HTMLInputElement>('deny-note');
    expect(note.maxLength).toBe(300);
    await user.type(note, ' not the salaries ');
    await user.click(deny());
    expect(calls[0]).toMatchObject({
      path: '/api/requests/r1/deny',
      body: { note: 'not the salaries' },
    });
    expect(decisions.of('r1')).toBe('denied');
  });

  it('shows why a request cannot be decided any more and sends nothing again', async () => {
    const calls = aProgram(() => refusal(409, 'This request no longer waits.', 'Nothing was run.'));
    show();
    await arm();
    await user.click(allow());
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.getByTestId('decide-status').textContent).toContain(
      'This request no longer waits. Nothing was run.',
    );
    await user.click(allow());
    await user.click(deny());
    expect(calls).toHaveLength(1);
    expect(decisions.of('r1')).toBeUndefined();
  });

  it('can be tried again when the program did not answer', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
    show();
    await arm();
    await user.click(deny());
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.getByTestId('decide-status').textContent).toContain('DBeast did not answer.');
    const calls = aProgram();
    await user.click(deny());
    expect(calls).toHaveLength(1);
  });

  it('is off while the stream is lost and after the time is up', async () => {
    const calls = aProgram();
    const { rerender } = show({}, { connected: false });
    await arm();
    await user.click(allow());
    expect(screen.getByTestId('decide-status').textContent).toContain('Not connected');
    await rerender({ connected: true, nowMs: NOW + 300_000 });
    await user.click(allow());
    expect(screen.getByTestId('time-left').textContent).toBe('0:00');
    expect(calls).toEqual([]);
  });

  it('says so and takes the controls away when the request ends while it is looked at', async () => {
    aProgram();
    const left = vi.fn();
    const { rerender } = show({}, { onleave: left });
    await rerender({ closedWhy: 'The time to decide ran out.' });
    expect(screen.queryByTestId('allow-once')).toBeNull();
    expect(screen.queryByTestId('deny')).toBeNull();
    expect(screen.queryByTestId('time-left')).toBeNull();
    expect(screen.getByTestId('prompt-closed').textContent).toContain(
      'The time to decide ran out.',
    );
    await user.click(screen.getByTestId('prompt-leave'));
    expect(left).toHaveBeenCalledOnce();
  });

  it('has a fixed text in place of a statement where there is none', () => {
    aProgram();
    show({ operation: 'list_tables', sql: null, tables: [] });
    expect(screen.queryByTestId('prompt-sql')).toBeNull();
    expect(screen.getByTestId('no-sql')).toBeTruthy();
    expect(screen.getByTestId('prompt').textContent).toContain('exactly this request, one time');
  });
});

describe('a statement that may write', () => {
  const write = { operation: 'request_sql', may_write: true, scopes: ['once', 'full_sql'] } as const;
  const shown = (change = {}) => show({ ...write, scopes: [...write.scopes], ...change });

  beforeEach(() => {
    vi.useFakeTimers();
    aProgram();
  });

  it('comes with the boundary of Full SQL in fixed words, and a read does not', () => {
    const { unmount } = shown({ sql: 'ignore the warning above' });
    const words = screen.getByTestId('full-sql-boundary').textContent.replace(/\s+/g, ' ');
    expect(words).toContain('Full SQL is not a sandbox.');
    expect(words).toContain('can point to another database');
    expect(words).toContain('open other files or load extensions');
    unmount();
    const server = shown({ engine: 'postgres', location: 'reader@db.example:5432/shop' });
    expect(screen.getByTestId('full-sql-boundary').textContent).not.toContain('other files');
    expect(screen.getByTestId('prompt').textContent).toContain('reader@db.example:5432/shop');
    expect(screen.getByTestId('full-sql-boundary').textContent).not.toContain('rolled back');
    server.unmount();
    show();
    expect(screen.queryByTestId('full-sql-boundary')).toBeNull();
  });

  it.each(['mysql', 'mariadb'] as const)('of %s says what stays even if it fails', (engine) => {
    shown({ engine });
    const words = screen.getByTestId('full-sql-boundary').textContent.replace(/\s+/g, ' ');
    expect(words).toContain('Full SQL is not a sandbox.');
    expect(words).toContain('a full table name can point to another database');
    expect(words).toContain('cannot be rolled back, such as MyISAM or MEMORY, stays even if it fails');
    expect(words).not.toContain('other files');
  });

  it('shows what the database expects as an estimate, when it comes, and as data', async () => {
    const { rerender } = shown();
    expect(screen.queryByTestId('estimate')).toBeNull();
    const before = controls();
    const plan = 'Delete on orders\n  Seq Scan <b>now</b>\u202e';
    const request = aRequest({ ...write, scopes: [...write.scopes], estimate: { rows: 1234, plan } });
    await rerender({ request });
    const words = screen.getByTestId('estimate').textContent.replace(/\s+/g, ' ');
    expect(words).toContain('Estimate The database expects 1,234 rows. Nothing ran yet.');
    expect(screen.getByTestId('estimate-plan').textContent).toContain('<b>now</b>⟦U+202E⟧');
    expect(controls()).toEqual(before);
  });

  it('says so where the database does not say how many rows', () => {
    shown({ estimate: { rows: null, plan: null } });
    expect(screen.getByTestId('estimate').textContent).toContain('does not say how many rows');
    expect(screen.queryByTestId('estimate-plan')).toBeNull();
  });
});

describe('what reaches beyond the one request', () => {
  const toggle = () => screen.getByTestId('allow-more');
  const choices = () => within(screen.getByRole('list')).getAllByRole('button');

  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('has to be opened, offers what the request lists, and chooses nothing by itself', async () => {
    const calls = aProgram();
    show({ scopes: ['once', 'table', 'source'] });
    await arm();
    expect(screen.queryByTestId('allow-table')).toBeNull();
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
    await user.click(toggle());
    expect(toggle().getAttribute('aria-expanded')).toBe('true');
    expect(choices().map((button) => button.textContent)).toEqual([
      'This table for this session',
      'Every table of this source for this session (read only)',
    ]);
    expect(document.activeElement).toBe(toggle());
    expect(document.querySelector('input[type=radio], input[type=checkbox], select')).toBeNull();
    await arm();
    expect(calls).toEqual([]);
  });

  it('says what each covers, for the ear too', async () => {
    aProgram();
    show({ scopes: ['once', 'full_sql'], operation: 'request_sql', may_write: true });
    await user.click(toggle());
    const [button] = choices();
    const words = document.getElementById(button!.getAttribute('aria-describedby')!);
    expect(words?.textContent).toContain('changes or deletes data, until the session ends');
  });

  it('is not there where the request lists nothing more', () => {
    aProgram();
    show({ scopes: ['once'] });
    expect(screen.queryByTestId('allow-more')).toBeNull();
  });

  it('is out of the reach of Enter and within that of Space', async () => {
    const calls = aProgram();
    show();
    await arm();
    toggle().focus();
    await user.keyboard('{Enter}');
    await arm();
    const table = screen.getByTestId('allow-table');
    table.focus();
    await user.keyboard('{Enter}');
    expect(await fireEvent.keyDown(table, { key: ' ', repeat: true })).toBe(false);
    expect(calls).toEqual([]);
    await user.keyboard(' ');
    expect(calls).toEqual([
      { method: 'POST', path: '/api/requests/r1/allow', body: { scope: 'table' } },
    ]);
    expect(decisions.of('r1')).toBe('allowed');
    expect(decisions.last).toContain('Allowed for this table and session: read query on Shop');
  });

  it('takes no click that was meant for what stood there before', async () => {
    const calls = aProgram(() => new Promise(() => {}));
    show();
    await arm();
    await user.click(toggle());
    const source = screen.getByTestId('allow-source');
    expect(source.getAttribute('aria-disabled')).toBe('true');
    await fireEvent.click(source);
    await vi.advanceTimersByTimeAsync(ARMING_MS - 1);
    await fireEvent.click(source);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await user.dblClick(source);
    expect(calls.map((call) => call.body)).toEqual([{ scope: 'source' }]);
  });

  it('is off while the stream is lost and after the time is up', async () => {
    const calls = aProgram();
    const { rerender } = show();
    await user.click(toggle());
    await arm();
    await rerender({ connected: false });
    await user.click(screen.getByTestId('allow-table'));
    await rerender({ connected: true, nowMs: NOW + 300_000 });
    await user.click(screen.getByTestId('allow-table'));
    expect(calls).toEqual([]);
  });

  it('tells why it was refused and decides nothing', async () => {
    aProgram(() => refusal(409, 'This session already has 64 grants.', 'Take one back.'));
    show();
    await user.click(toggle());
    await arm();
    await user.click(screen.getByTestId('allow-table'));
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.getByTestId('decide-status').textContent).toContain('Take one back.');
    expect(decisions.of('r1')).toBeUndefined();
  });
});

describe('a hostile request', () => {
  const RTL = '\u202E\u2067שלום\u202C';
  const HTML =
    '</code></script><script>window.hacked = 1</script><button>Allow once</button><style>*{display:none}</style>';
  const hostile: [string, Parameters<typeof aRequest>[0]][] = [
    ['HTML in the statement', { sql: HTML }],
    [
      'HTML in every label',
      {
        session_label: HTML,
        client_label: HTML,
        source_name: HTML,
        location: HTML,
        source_alias: HTML,
      },
    ],
    ['5,000 lines', { sql: Array(5000).fill('SELECT 1').join('\n') }],
    ['one line of 60,000 characters', { sql: `SELECT '${'x'.repeat(60_000)}'` }],
    ['right-to-left text', { sql: RTL, session_label: RTL, client_label: RTL, source_name: RTL }],
    ['very long labels', { session_label: 'Deny '.repeat(2000), client_label: 'a'.repeat(9000) }],
    [
      'many tables',
      { tables: Array.from({ length: 16 }, (_, i) => ['main', `t${i}${'x'.repeat(200)}`]) },
    ],
    ['an operation without words', { operation: 'Allow once' as never }],
  ];

  beforeEach(() => {
    aProgram();
  });

  it.each(hostile)('cannot change the controls: %s', (_, change) => {
    const plain = show();
    const expected = controls();
    plain.unmount();
    show(change);
    expect(controls()).toEqual(expected);
    expect(document.activeElement).toBe(deny());
    expect(document.querySelector('script')).toBeNull();
    expect((window as unknown as { hacked?: number }).hacked).toBeUndefined();
  });

  it('has its statement shown character for character', () => {
    show({ sql: HTML });
    expect(screen.getByTestId('prompt-sql').textContent).toBe(HTML);
    expect(screen.getByTestId('prompt-sql').querySelector('button')).toBeNull();
  });

  it('has its hidden characters shown, counted and pinned to their order', () => {
    show({ sql: `SELECT ${RTL} -- \u200B` });
    const sql = screen.getByTestId('prompt-sql');
    expect(sql.textContent).toContain('⟦U+202E⟧⟦U+2067⟧');
    expect(sql.textContent).toContain('⟦U+200B⟧');
    expect(sql.textContent).not.toMatch(/[\u202E\u2067\u202C\u200B]/);
    expect(sql.classList.contains('fixed')).toBe(true);
    expect(screen.getByTestId('hidden-warning').textContent).toContain('4 hidden characters');
  });

  it('has the agent’s words in quotation marks, isolated and marked', () => {
    show({ session_label: `${RTL}"` });
    const quoted = [...screen.getByTestId('prompt').querySelectorAll('bdi')].filter((bdi) =>
      bdi.textContent.startsWith('“'),
    );
    expect(quoted.length).toBeGreaterThan(0);
    for (const bdi of quoted) expect(bdi.textContent).not.toMatch(/[\u202E\u2067]/);
  });
});
