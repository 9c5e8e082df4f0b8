import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { announcer } from '../state/announcer.svelte';
import TimeLeft from './TimeLeft.svelte';

describe('the time left', () => {
  it('counts down for the eye and is said aloud twice only, not each second', async () => {
    const props = { expiresAtMs: 300_000, totalMs: 300_000 };
    const { rerender } = render(TimeLeft, { ...props, nowMs: 0 });
    const seen: string[] = [];
    const said: string[] = [];
    for (const left of [300, 200, 61, 60, 59, 30, 16, 15, 14, 1, 0]) {
      await rerender({ nowMs: 300_000 - left * 1000 });
      seen.push(screen.getByTestId('time-left').textContent);
      if (announcer.text && said.at(-1) !== announcer.text) said.push(announcer.text);
    }
    expect(seen.join(' ')).toBe('5:00 3:20 1:01 1:00 0:59 0:30 0:16 0:15 0:14 0:01 0:00');
    expect(said).toEqual(['60 seconds left to decide', '15 seconds left to decide']);
    expect(screen.getByRole('timer').getAttribute('aria-live')).toBe('off');
  });
});
