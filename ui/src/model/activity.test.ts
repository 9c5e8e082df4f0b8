import { describe, expect, it } from 'vitest';
import { anEntry, aView } from '../testing/fixtures';
import { matches, newestFirst } from './activity';

describe('activity', () => {
  it('is newest first', () => {
    const view = aView({ activity: [9, 10, 2].map((entry) => anEntry({ entry })) });
    expect(newestFirst(view).map((entry) => entry.entry)).toEqual([10, 9, 2]);
  });

  it('is filtered by every word, over all that a row shows', () => {
    const entry = anEntry({
      event: 'request_denied',
      sql: 'SELECT "ssn" FROM people',
      source_alias: 'Payroll',
    });
    expect(matches(entry, '')).toBe(true);
    expect(matches(entry, 'request denied')).toBe(true);
    expect(matches(entry, 'SSN payroll')).toBe(true);
    expect(matches(entry, 'ssn orders')).toBe(false);
  });
});
