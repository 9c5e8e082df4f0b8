import { describe, expect, it } from 'vitest';
import { ago, clockTime, countdown, span } from './time';

const MINUTE = 60_000;

describe('time in words', () => {
  it.each([
    [300_000, '5:00'],
    [299_001, '5:00'],
    [65_000, '1:05'],
    [1, '0:01'],
    [0, '0:00'],
    [-5000, '0:00'],
    [3_723_000, '1:02:03'],
  ])('counts %i ms down as %s', (ms, words) => expect(countdown(ms)).toBe(words));

  it.each([
    [30_000, '30 s'],
    [90_000, '1 min 30 s'],
    [5 * MINUTE, '5 min'],
    [120 * MINUTE, '2 h'],
    [250, '250 ms'],
  ])('writes a length of %i ms as %s', (ms, words) => expect(span(ms)).toBe(words));

  it.each([
    [0, 'just now'],
    [-4000, 'just now'],
    [42_000, '42 s ago'],
    [3 * MINUTE, '3 min ago'],
    [5 * 60 * MINUTE, '5 h ago'],
    [24 * 60 * MINUTE, '1 day ago'],
    [72 * 60 * MINUTE, '3 days ago'],
  ])('writes %i ms back as %s', (passed, words) => expect(ago(1e12 - passed, 1e12)).toBe(words));

  it('adds the date only on another day', () => {
    const at = new Date(2026, 4, 3, 9, 8, 7).getTime();
    expect(clockTime(at, at + 1000)).toBe('09:08:07');
    expect(clockTime(at, at + 48 * 60 * MINUTE)).toBe('2026-05-03 09:08:07');
  });
});
