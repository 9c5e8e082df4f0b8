import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aClient, aRequest, aSource, aView, NOW } from '../../testing/fixtures';
import { aProgram, refusal } from '../../testing/program';
import SourceRow from './SourceRow.svelte';

const user = userEvent.setup();

describe('removing a source', () => {
  const source = aSource({ shared: { all_agents: 'ask' } });
  const view = aView({ sources: [source], clients: [aClient()], requests: [aRequest()] });
  const ask = () => user.click(screen.getByRole('button', { name: /Remove/ }));

  it('tells what ends before it does anything, and Escape keeps it', async () => {
    const calls = aProgram();
    render(SourceRow, { source, view, nowMs: NOW });
    await ask();
    const text = screen.getByTestId('source-remove').textContent.replace(/\s+/g, ' ');
    expect(text).toContain('ends for 1 connection');
    expect(text).toContain('1 request waiting');
    expect(document.activeElement?.textContent).toBe('Keep it');
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('source-remove')).toBeNull();
    expect(calls).toEqual([]);
  });

  it('sends once, and shows a refusal in place', async () => {
    const calls = aProgram(() => refusal(404, 'There is no such source.', 'Reload the page.'));
    render(SourceRow, { source, view, nowMs: NOW });
    await ask();
    await user.click(screen.getByTestId('source-remove-yes'));
    expect(calls).toEqual([{ method: 'DELETE', path: '/api/sources/shop', body: undefined }]);
    expect(screen.getByTestId('problem').textContent).toContain('There is no such source.');
  });

  it('has settings that open and close, and marks what is out of the ordinary', async () => {
    render(SourceRow, {
      source: aSource({ is_read_only: true, read_lock: 'weak', engine: 'postgres' }),
      view,
      nowMs: NOW,
    });
    const row = screen.getByTestId('source-row').textContent;
    expect(row).toContain('Read-only');
    expect(row).toContain('Weaker read lock');
    const toggle = screen.getByTestId('source-settings');
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    await user.click(toggle);
    expect(screen.getByTestId('settings-of-source')).toBeTruthy();
    await user.click(toggle);
    expect(screen.queryByTestId('settings-of-source')).toBeNull();
  });
});
