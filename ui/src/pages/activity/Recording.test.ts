import { render, screen } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../testing/fixtures';
import { aProgram, refusal } from '../../testing/program';
import Recording from './Recording.svelte';

const user = userEvent.setup();

const told = (broken: number) => ({
  since_ms: NOW - 60_000,
  events: 120_345,
  recording: {
    from_event: 20_346,
    events: 100_000,
    events_max: 100_000,
    bytes: 3_145_728,
    bytes_max: 33_554_432,
  },
  invariants: [
    { id: 'R-1', sentence: 'A request belongs to somebody.', broken: 0, first_broken_at_ms: null },
    {
      id: 'T-1',
      sentence: 'At most 4 tasks run.',
      broken,
      first_broken_at_ms: broken ? NOW - 30_000 : null,
    },
  ],
});

const words = () => document.body.textContent!.replaceAll(/\s+/g, ' ');

describe('the recording', () => {
  it('is a file behind the door, and the page says what is in it', () => {
    const calls = aProgram();
    render(Recording, { nowMs: NOW });
    const save = screen.getByTestId('save-recording');
    expect(save.getAttribute('href')).toBe('/api/recording');
    expect(save.getAttribute('download')).toBe('dbeast-recording.jsonl');
    expect(words()).toContain('no tokens, passwords, results or document texts');
    expect(calls).toEqual([]);
  });

  it('shows the diagnostics when they are opened', async () => {
    const calls = aProgram(() => ({ status: 200, body: told(0) }));
    render(Recording, { nowMs: NOW });
    await user.click(screen.getByText('Diagnostics'));
    await screen.findByTestId('invariants');
    expect(calls).toEqual([{ method: 'GET', path: '/api/diagnostics', body: undefined }]);
    expect(words()).toContain('120,345 since');
    expect(words()).toContain(
      '100,000 of at most 100,000 events, 3.00 of at most 32.00 MiB; the first 20,345 are gone',
    );
    expect(words()).toContain('All 2 held after every event.');
  });

  it('says which invariant did not hold and how often', async () => {
    aProgram(() => ({ status: 200, body: told(3) }));
    render(Recording, { nowMs: NOW });
    await user.click(screen.getByText('Diagnostics'));
    await screen.findByTestId('invariants');
    expect(words()).toContain('1 of 2 did not hold');
    expect(words()).toMatch(
      /T-1: not after 3 events, first at [\d:]+\. What should hold: At most 4 tasks run\./,
    );
    expect(words()).not.toContain('R-1');
  });

  it('says so when the program does not answer', async () => {
    aProgram(() => refusal(500, 'The store does not answer.', 'Try again.'));
    render(Recording, { nowMs: NOW });
    await user.click(screen.getByText('Diagnostics'));
    expect((await screen.findByTestId('problem')).textContent).toContain('does not answer');
  });
});
