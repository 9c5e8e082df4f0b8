import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aSource } from '../../testing/fixtures';
import { aProgram, refusal } from '../../testing/program';
import SourceSettings from './SourceSettings.svelte';

const user = userEvent.setup();
const server = (change = {}) =>
  aSource({ engine: 'postgres', location: 'reader@db.example:5432/shop', ...change });
const question = () => screen.getByTestId('source-change').textContent.replace(/\s+/g, ' ');
const yes = () => user.click(screen.getByTestId('source-change-yes'));
const lock = (name: string) => screen.getByTestId<HTMLInputElement>(`source-lock-${name}`);

describe('the settings of a source', () => {
  it('say of each read lock what it needs and what it does not exclude', () => {
    render(SourceSettings, { source: server(), ends: 0 });
    const full = screen.getByRole('radio', { name: /Full read lock/ });
    const weak = screen.getByRole('radio', { name: /Weaker read lock/ });
    expect([full, weak]).toEqual([lock('full'), lock('weak')]);
    expect(full.closest('label')?.textContent).toContain('UPDATE, DELETE or TRUNCATE');
    expect(weak.closest('label')?.textContent).toContain('index expression');
    expect([lock('full').checked, lock('weak').checked]).toEqual([true, false]);
  });

  it.each(['mysql', 'mariadb'])('of %s have a password and no lock to choose', (engine) => {
    render(SourceSettings, { source: server({ engine }), ends: 0 });
    expect(screen.queryByTestId('source-lock-full')).toBeNull();
    expect(screen.getByTestId('source-new-password')).toBeTruthy();
  });

  it('ask before another read lock is sent, and go back on "Leave as it is"', async () => {
    const calls = aProgram();
    render(SourceSettings, { source: server(), ends: 2 });
    await user.click(lock('weak'));
    expect(question()).toContain('2 requests waiting, running or finished there are revoked');
    expect(calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Leave as it is' }));
    expect([lock('full').checked, lock('weak').checked]).toEqual([true, false]);
    expect(document.activeElement).toBe(lock('full'));
    await user.click(lock('weak'));
    await yes();
    expect(calls).toEqual([
      { method: 'PATCH', path: '/api/sources/shop', body: { read_lock: 'weak' } },
    ]);
  });

  it('make a source read-only and writable again', async () => {
    const calls = aProgram();
    const { rerender } = render(SourceSettings, { source: server(), ends: 0 });
    await user.click(screen.getByTestId('source-read-only'));
    await yes();
    await rerender({ source: server({ is_read_only: true }), ends: 0 });
    await user.click(screen.getByRole('button', { name: 'Accept writes' }));
    await yes();
    expect(calls.map((call) => call.body)).toEqual([{ read_only: true }, { read_only: false }]);
  });

  it('send another password once, hide it, and show why it was refused', async () => {
    const calls = aProgram(() => refusal(422, 'The server did not accept the account.', 'Check it.'));
    render(SourceSettings, { source: server(), ends: 0 });
    const input = screen.getByLabelText<HTMLInputElement>('Another password');
    expect(input.type).toBe('password');
    await user.type(input, 'sesame{Enter}');
    expect(calls).toEqual([]);
    await yes();
    expect(calls).toEqual([
      { method: 'PATCH', path: '/api/sources/shop', body: { password: 'sesame' } },
    ]);
    expect(screen.getByTestId('problem').textContent).toContain('did not accept');
    expect(input.value).toBe('sesame');
  });

  it('of a file have neither lock nor password', () => {
    render(SourceSettings, { source: aSource(), ends: 0 });
    expect(screen.queryByTestId('source-lock-full')).toBeNull();
    expect(screen.queryByTestId('source-password-form')).toBeNull();
    expect(screen.getByTestId('source-read-only')).toBeTruthy();
  });
});
