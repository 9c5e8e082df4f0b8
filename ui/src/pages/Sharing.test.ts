import { fireEvent, render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { aClient, aRequest, aSource, aView } from '../testing/fixtures';
import { aProgram, refusal } from '../testing/program';
import Sharing from './Sharing.svelte';

const user = userEvent.setup();
const view = aView({
  sources: [aSource({ shared: { all_agents: 'ask', c1: 'read' } })],
  clients: [aClient(), aClient({ client_id: 'c2', label: 'Other' })],
  requests: [aRequest(), aRequest({ request_id: 'r2', status: 'completed' })],
});
const cell = (audience: string) => screen.getByTestId<HTMLSelectElement>(`share-shop-${audience}`);

describe('the sharing page', () => {
  it('shows each entry, and the union where it is higher', () => {
    render(Sharing, { view });
    expect(cell('all_agents').value).toBe('ask');
    expect(cell('c1').value).toBe('read');
    expect(cell('c2').value).toBe('none');
    expect(screen.getByTestId('effective-shop-c2').textContent).toContain('Ask each time');
    expect(screen.getByTestId('effective-shop-c1').textContent.trim()).toBe('');
  });

  it('sends a widening at once', async () => {
    const calls = aProgram();
    render(Sharing, { view });
    await user.selectOptions(cell('c2'), 'read');
    expect(calls).toEqual([
      {
        method: 'PUT',
        path: '/api/sharing',
        body: { source_id: 'shop', audience: { client_id: 'c2' }, level: 'read' },
      },
    ]);
  });

  it('asks before an agent may write, with the boundary of Full SQL', async () => {
    const calls = aProgram();
    render(Sharing, { view });
    await user.selectOptions(cell('c2'), 'read_write');
    const question = screen.getByTestId('share-write').textContent.replace(/\s+/g, ' ');
    expect(question).toContain('any single statement runs at once');
    expect(question).toContain('Full SQL is not a sandbox');
    expect(calls).toEqual([]);
    await user.keyboard('{Escape}');
    expect(cell('c2').value).toBe('none');
    await user.selectOptions(cell('c2'), 'read_write');
    await user.click(screen.getByTestId('share-write-yes'));
    expect(calls[0]?.body).toEqual({
      source_id: 'shop',
      audience: { client_id: 'c2' },
      level: 'read_write',
    });
  });

  it('offers no writing to a read-only source, and narrows what allowed it', async () => {
    aProgram();
    const closed = aSource({ is_read_only: true, shared: { c1: 'read_write' } });
    render(Sharing, { view: aView({ sources: [closed], clients: Object.values(view.clients) }) });
    const offered = (audience: string) => [...cell(audience).options].map((one) => one.value);
    expect(offered('c2')).toEqual(['none', 'ask', 'read']);
    expect(offered('c1')).toEqual(['none', 'ask', 'read', 'read_write']);
    await user.selectOptions(cell('c1'), 'read');
    expect(screen.getByTestId('share-narrow')).toBeTruthy();
  });

  it('tells what narrowing revokes before it is sent, and takes it back on "Leave as it is"', async () => {
    const calls = aProgram();
    render(Sharing, { view });
    await user.selectOptions(cell('c1'), 'none');
    const question = screen.getByTestId('share-narrow').textContent.replace(/\s+/g, ' ');
    expect(question).toContain(
      'pending, running and completed requests of this connection on this source: 2 now',
    );
    expect(question).toContain('All Agents stays');
    expect(calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Leave as it is' }));
    expect(cell('c1').value).toBe('read');
    expect(calls).toEqual([]);
  });

  it('narrows for All Agents after the yes', async () => {
    const calls = aProgram();
    render(Sharing, { view });
    await user.selectOptions(cell('all_agents'), 'none');
    expect(screen.getByTestId('share-narrow').textContent).toContain('2 connections');
    await user.click(screen.getByTestId('share-narrow-yes'));
    expect(calls[0]?.body).toEqual({ source_id: 'shop', audience: 'all_agents', level: 'none' });
  });

  it('goes back to what is true when the program refuses, and says why', async () => {
    aProgram(() => refusal(404, 'There is no such source.', 'Reload the page.'));
    render(Sharing, { view });
    await user.selectOptions(cell('c2'), 'read');
    expect(screen.getByTestId('problem').textContent).toContain('There is no such source.');
    expect(cell('c2').value).toBe('none');
  });

  it('does not change a level by an arrow or a letter on a closed list', async () => {
    const calls = aProgram();
    render(Sharing, { view });
    const showPicker = vi.fn();
    cell('c2').showPicker = showPicker;
    for (const key of ['ArrowDown', 'r', 'End']) {
      expect(await fireEvent.keyDown(cell('c2'), { key })).toBe(false);
    }
    expect(await fireEvent.keyDown(cell('c2'), { key: 'Tab' })).toBe(true);
    expect(showPicker).toHaveBeenCalledTimes(3);
    expect(calls).toEqual([]);
  });
});

describe('a cell of the matrix', () => {
  it('is named by its audience and its source', () => {
    render(Sharing, { view });
    expect(screen.getByRole('combobox', { name: 'Other on Shop' })).toBe(cell('c2'));
    expect(screen.getByRole('combobox', { name: 'All Agents on Shop' })).toBe(cell('all_agents'));
  });
});
