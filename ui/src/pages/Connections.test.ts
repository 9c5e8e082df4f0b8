import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aClient, aRequest, aView, NOW } from '../testing/fixtures';
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
