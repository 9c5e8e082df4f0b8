import { describe, expect, it } from 'vitest';
import { hasRightToLeft, reveal, revealText } from './hidden';

describe('reveal', () => {
  it('leaves ordinary text alone, in any script', () => {
    const text = 'SELECT "größe", "名前", "цена", "é" FROM t';
    expect(reveal(text)).toEqual({ pieces: [{ kind: 'text', text }], hidden: 0 });
  });

  it.each([
    ['\u202E', '⟦U+202E⟧', 'right-to-left override'],
    ['\u2066', '⟦U+2066⟧', 'left-to-right isolate'],
    ['\u200B', '⟦U+200B⟧', 'zero width space'],
    ['\uFEFF', '⟦U+FEFF⟧', 'zero width no-break space'],
    ['\u00AD', '⟦U+00AD⟧', 'soft hyphen'],
    ['\u00A0', '⟦U+00A0⟧', 'no-break space'],
    ['\0', '⟦U+0000⟧', 'null'],
    ['\r', '⟦U+000D⟧', 'carriage return'],
    ['\u0085', '⟦U+0085⟧', 'hidden character'],
    ['\u2028', '⟦U+2028⟧', 'line separator'],
    ['\u3164', '⟦U+3164⟧', 'hidden character'],
    ['\uD800', '⟦U+D800⟧', 'hidden character'],
    ['\u{E0041}', '⟦U+E0041⟧', 'hidden character'],
    ['\uFE0F', '⟦U+FE0F⟧', 'hidden character'],
  ])('marks %j', (character, code, name) => {
    expect(reveal(`a${character}b`)).toEqual({
      pieces: [
        { kind: 'text', text: 'a' },
        { kind: 'hidden', code, name },
        { kind: 'text', text: 'b' },
      ],
      hidden: 1,
    });
  });

  it('keeps line ends and tabs in a statement and marks them in a label', () => {
    expect(reveal('a\n\tb', true).hidden).toBe(0);
    expect(reveal('a\n\tb').hidden).toBe(2);
  });

  it('counts every one and marks letters that are buried under marks', () => {
    expect(reveal('\u200B\u200B\u202Ex').hidden).toBe(3);
    expect(reveal(`a${'\u0301'.repeat(10)}`).hidden).toBe(7);
  });

  it('draws a run of the same one as one mark with its length', () => {
    const text = `a${'\u200B'.repeat(500)}b\u200B`;
    expect(reveal(text).hidden).toBe(501);
    expect(revealText(text)).toBe('a⟦U+200B ×500⟧b⟦U+200B⟧');
  });

  it('gives plain text where only text fits', () => {
    expect(revealText('ok\u202Eko')).toBe('ok⟦U+202E⟧ko');
  });

  it('knows letters that run from right to left', () => {
    expect(hasRightToLeft('"שלום"')).toBe(true);
    expect(hasRightToLeft('"سلام"')).toBe(true);
    expect(hasRightToLeft('"größe"')).toBe(false);
  });
});
