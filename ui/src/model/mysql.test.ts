import { describe, expect, it } from 'vitest';
import { quotedDatabase, quotedName, quotedText } from './mysql';

describe('names and texts for MySQL', () => {
  it('end where they seem to end', () => {
    expect(quotedName('shop')).toBe('`shop`');
    expect(quotedName('a`.*; DROP')).toBe('`a``.*; DROP`');
    expect(quotedDatabase('shop_2026%')).toBe('`shop\\_2026\\%`');
    expect(quotedText('agents')).toBe("'agents'");
    expect(quotedText("a'; DROP \\")).toBe("'a''; DROP \\\\'");
  });
});
