import { describe, expect, it } from 'vitest';
import { quotedName, quotedText } from './mysql';

describe('names and texts for MySQL', () => {
  it('end where they seem to end', () => {
    expect(quotedName('shop')).toBe('`shop`');
    expect(quotedName('a`.*; DROP')).toBe('`a``.*; DROP`');
    expect(quotedText('agents')).toBe("'agents'");
    expect(quotedText("a'; DROP \\")).toBe("'a''; DROP \\\\'");
  });
});
