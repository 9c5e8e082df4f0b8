import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import App from './App.svelte';
import { live } from './state/live.svelte';
import { aRequest, aView, NOW } from './testing/fixtures';
import { aProgram } from './testing/program';
import { HandStream } from './testing/stream';

const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });

describe('the page', () => {
  let stream: HandStream;

  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    live.view = null;
    vi.stubGlobal(
      'EventSource',
      class extends HandStream {
        constructor() {
          super();
          stream = this;
        }
      },
    );
  });

  async function start(view = aView()) {
    render(App);
    stream.send('snapshot', { revision: 1, now_ms: NOW, view });
    await tick();
  }

  async function arrive(requestId: string, from: number) {
    const value = aRequest({ request_id: requestId, client_label: `Agent ${requestId}` });
    stream.send('patch', {
      from_revision: from,
      revision: from + 1,
      now_ms: NOW,
      patch: [{ op: 'add', path: `/requests/${requestId}`, value }],
    });
    await tick();
  }

  it('counts in the title and the navigation, and announces what arrives', async () => {
    await start(aView({ requests: [aRequest()] }));
    expect(document.title).toBe('(1) DBeast');
    await arrive('r2', 1);
    expect(document.title).toBe('(2) DBeast');
    expect(screen.getByTestId('queue-count').textContent).toBe('2');
    expect(screen.getByTestId('announcer').textContent).toBe('New request: Agent r2, read query');
    expect(screen.getByTestId('announcer').getAttribute('aria-live')).toBe('polite');
  });

  it('goes to each page and moves the focus to its heading', async () => {
    await start();
    for (const [page, heading] of [
      ['sources', 'Sources'],
      ['connections', 'Connections'],
      ['sharing', 'Sharing'],
      ['activity', 'Activity'],
    ]) {
      location.hash = `#/${page}`;
      await vi.advanceTimersByTimeAsync(10);
      expect(screen.getByTestId(`nav-${page}`).getAttribute('aria-current')).toBe('page');
      expect(document.activeElement?.textContent).toBe(heading);
    }
  });

  it('keeps typed text when a request arrives on another page', async () => {
    await start();
    location.hash = '#/sources';
    await vi.advanceTimersByTimeAsync(10);
    const name = screen.getByTestId<HTMLInputElement>('source-name');
    await user.type(name, 'Sho');
    await arrive('r2', 1);
    expect(document.activeElement).toBe(name);
    expect(name.value).toBe('Sho');
    expect(screen.getByTestId('queue-count').textContent).toBe('1');
  });

  it('warns and turns decisions off while the stream is lost, and recovers', async () => {
    aProgram(() => ({ status: 200, body: {} }));
    await start(aView({ requests: [aRequest()] }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(screen.getByTestId('allow-once').getAttribute('aria-disabled')).toBe('false');
    stream.fail();
    await tick();
    expect(screen.getByTestId('lost-banner').textContent).toContain('connection to DBeast is lost');
    expect(screen.getByTestId('allow-once').getAttribute('aria-disabled')).toBe('true');
    await vi.advanceTimersByTimeAsync(500);
    stream.send('snapshot', { revision: 9, now_ms: NOW, view: aView({ requests: [aRequest()] }) });
    await tick();
    expect(screen.queryByTestId('lost-banner')).toBeNull();
    expect(screen.getByTestId('allow-once').getAttribute('aria-disabled')).toBe('false');
  });

  it('becomes the page that leads to a fresh link when any call answers 401', async () => {
    aProgram(() => ({ status: 401, body: { error: { code: 'locked', message: '', hint: '' } } }));
    await start(aView({ requests: [aRequest()] }));
    await user.click(screen.getByTestId('stop-all'));
    await user.click(screen.getByTestId('stop-all-confirm'));
    await vi.advanceTimersByTimeAsync(10);
    expect(screen.getByTestId('locked').textContent).toContain('fresh link');
    expect(screen.queryByTestId('prompt')).toBeNull();
  });

  it('shows notices until they are closed', async () => {
    await start({
      ...aView(),
      notices: {
        v: { code: 'v', severity: 'warning', message: 'No keychain.', hint: 'Install one.' },
      },
    });
    expect(screen.getByTestId('notice').textContent).toContain('Install one.');
    await user.click(screen.getByRole('button', { name: 'Close notice' }));
    expect(screen.queryByTestId('notice')).toBeNull();
  });
});
