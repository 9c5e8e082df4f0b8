import { render, screen, waitFor, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aClient, aGrant, aRequest, aSource, aView, NOW } from '../testing/fixtures';
import { aProgram, refusal } from '../testing/program';
import Connections from './Connections.svelte';

const made = {
  client_id: 'c1',
  token: 'secret-token',
  mcp_url: 'http://127.0.0.1:1/mcp',
  configurations: [
    { client: 'one', title: 'Client one', kind: 'command', file: null, text: 'add secret-token' },
    {
      client: 'two',
      title: 'Client two',
      kind: 'file',
      file: '~/.two.json',
      text: '{"token": "secret-token"}',
    },
  ],
};

async function create(view = aView()) {
  const user = userEvent.setup();
  const page = render(Connections, { view, nowMs: NOW });
  await user.type(screen.getByTestId('client-label'), 'Editor');
  await user.click(screen.getByTestId('client-submit'));
  return { user, page };
}

describe('a new connection', () => {
  it('shows the token and each configuration, copies them, and says that it is shown once', async () => {
    const calls = aProgram(() => ({ status: 201, body: made }));
    const { user } = await create();
    expect(calls[0]?.body).toEqual({ label: 'Editor' });
    expect(screen.getByTestId('client-token').textContent).toBe('secret-token');
    expect(screen.getByTestId('token-warning').textContent).toContain('only now');
    await user.click(screen.getByTestId('copy-token'));
    expect(await navigator.clipboard.readText()).toBe('secret-token');
    expect(screen.getByTestId('copy-token').textContent).toContain('Copied');
    await user.selectOptions(screen.getByTestId('configuration-select'), 'Client two');
    expect(screen.getByTestId('configuration-text').textContent).toBe('{"token": "secret-token"}');
    await user.click(screen.getByTestId('copy-configuration'));
    expect(await navigator.clipboard.readText()).toBe('{"token": "secret-token"}');
  });

  it('keeps the token over a change of page and drops it only on "I have saved it"', async () => {
    aProgram(() => ({ status: 201, body: made }));
    const { user, page } = await create();
    page.unmount();
    render(Connections, { view: aView(), nowMs: NOW });
    expect(screen.getByTestId('client-token').textContent).toBe('secret-token');
    expect(screen.queryByTestId('client-form')).toBeNull();
    await user.click(screen.getByTestId('token-saved'));
    expect(document.body.textContent).not.toContain('secret-token');
    expect(screen.getByTestId('client-form')).toBeTruthy();
  });

  it('shows a refusal and keeps the label', async () => {
    aProgram(() => refusal(409, 'There are 16 connections already.', 'Revoke one first.'));
    await create();
    expect(screen.getByTestId('problem').textContent).toContain('Revoke one first.');
    expect(screen.getByTestId<HTMLInputElement>('client-label').value).toBe('Editor');
  });
});

describe('a connection in the list', () => {
  const session = {
    session_id: 's/1',
    label: 'I am the admin \u202E',
    began_at_ms: NOW - 60_000,
    last_used_at_ms: NOW - 20_000,
    expires_at_ms: NOW + 60_000,
  };
  const view = aView({ clients: [aClient({ session })], requests: [aRequest()] });

  it('quotes what the agent calls its session, hidden characters marked', () => {
    render(Connections, { view, nowMs: NOW });
    const row = screen.getByTestId('client-row').textContent.replace(/\s+/g, ' ');
    expect(row).toContain('“I am the admin ⟦U+202E⟧”');
    expect(row).toContain('the agent’s own words');
    expect(row).toContain('last used 20 s ago');
  });

  it('is revoked only after a confirmation that tells what ends', async () => {
    const user = userEvent.setup();
    const calls = aProgram();
    render(Connections, { view, nowMs: NOW });
    await user.click(screen.getByRole('button', { name: 'Revoke Editor' }));
    expect(calls).toEqual([]);
    expect(screen.getByTestId('client-revoke').textContent).toContain('1 request');
    await user.click(screen.getByTestId('client-revoke-yes'));
    expect(calls).toEqual([{ method: 'DELETE', path: '/api/clients/c1', body: undefined }]);
  });

  it('has its session ended, by an id that is escaped in the address', async () => {
    const user = userEvent.setup();
    const calls = aProgram();
    render(Connections, { view, nowMs: NOW });
    await user.click(screen.getByRole('button', { name: 'End session of Editor' }));
    await user.click(screen.getByTestId('session-end-yes'));
    expect(calls[0]?.path).toBe('/api/sessions/s%2F1');
  });
});

describe('what is allowed for a session', () => {
  const session = {
    session_id: 's1',
    label: null,
    began_at_ms: NOW,
    last_used_at_ms: NOW,
    expires_at_ms: NOW + 60_000,
  };
  const clients = [aClient({ session }), aClient({ client_id: 'c2', label: 'Other' })];
  const grants = [
    aGrant({ table: ['main', 'orders\u202E'], granted_at_ms: NOW - 60_000 }),
    aGrant({ grant_id: 12, scope: 'source', table: null }),
    aGrant({ grant_id: 3, scope: 'once', request_id: 'r1', source_id: null, table: null }),
  ];
  const view = aView({ clients, grants, sources: [aSource()] });
  const list = () => screen.getByRole('list', { name: 'Allowed for this session' });
  const lines = () =>
    within(list())
      .getAllByRole('listitem')
      .map((item) => item.textContent.replace(/\s+/g, ' ').trim());

  it('stands at its connection, in plain words, hidden characters marked', () => {
    render(Connections, { view, nowMs: NOW });
    expect(screen.getAllByTestId('grants')).toHaveLength(1);
    expect(lines()).toEqual([
      'Reads of the table main.orders⟦U+202E⟧ in Shop 1 min ago Take back',
      'Reads of every table of Shop just now Take back',
    ]);
  });

  it('is not there where nothing is', () => {
    render(Connections, { view: aView({ clients }), nowMs: NOW });
    expect(screen.queryByTestId('grants')).toBeNull();
  });

  it('is taken back one by one, by the keyboard too', async () => {
    const user = userEvent.setup();
    const calls = aProgram();
    render(Connections, { view, nowMs: NOW });
    const second = screen.getAllByTestId('take-back')[1]!;
    const words = document.getElementById(second.getAttribute('aria-describedby')!);
    expect(words?.textContent).toContain('every table of');
    second.focus();
    await user.keyboard('{Enter}');
    expect(calls).toEqual([{ method: 'DELETE', path: '/api/grants/12', body: undefined }]);
    // Its button is about to go: the focus stays in the row.
    const end = screen.getByRole('button', { name: 'End session of Editor' });
    await waitFor(() => expect(document.activeElement).toBe(end));
  });

  it('says so when it could not be taken back', async () => {
    const user = userEvent.setup();
    aProgram(() => refusal(404, 'That does not exist any more.', 'Look again.'));
    render(Connections, { view, nowMs: NOW });
    await user.click(screen.getAllByTestId('take-back')[0]!);
    expect(screen.getByTestId('problem').textContent).toContain('Look again.');
    expect(screen.getAllByTestId('take-back')).toHaveLength(2);
  });
});
