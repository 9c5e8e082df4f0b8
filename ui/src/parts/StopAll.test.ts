import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { announcer } from '../state/announcer.svelte';
import { aProgram, refusal } from '../testing/program';
import StopAll from './StopAll.svelte';

const user = userEvent.setup();

describe('stop all', () => {
  it('takes two steps in place', async () => {
    const calls = aProgram();
    render(StopAll);
    await user.click(screen.getByTestId('stop-all'));
    expect(calls).toEqual([]);
    expect(document.activeElement).toBe(screen.getByTestId('stop-all-confirm'));
    await user.click(screen.getByTestId('stop-all-confirm'));
    expect(calls).toEqual([{ method: 'POST', path: '/api/stop-all', body: {} }]);
    expect(announcer.text).toContain('Stopped');
    expect(screen.getByTestId('stop-all')).toBeTruthy();
  });

  it('is left by Escape', async () => {
    const calls = aProgram();
    render(StopAll);
    await user.click(screen.getByTestId('stop-all'));
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByTestId('stop-all'));
    expect(calls).toEqual([]);
  });

  it('says so when nothing was stopped', async () => {
    aProgram(() => refusal(500, 'The store does not answer.', 'End the program in the terminal.'));
    render(StopAll);
    await user.click(screen.getByTestId('stop-all'));
    await user.click(screen.getByTestId('stop-all-confirm'));
    expect(announcer.text).toContain('Not stopped. The store does not answer.');
  });
});
