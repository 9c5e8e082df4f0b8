import { describe, expect, it } from 'vitest';
import { colour, COLOURED_MAX } from './sql';

describe('colour', () => {
  it('tells keywords, names, strings, numbers and comments apart', () => {
    const kinds = colour(`SELECT "from", 'it''s', 12 -- where`).filter(
      (piece) => piece.kind !== 'plain',
    );
    expect(kinds).toEqual([
      { kind: 'keyword', text: 'SELECT' },
      { kind: 'name', text: '"from"' },
      { kind: 'string', text: `'it''s'` },
      { kind: 'number', text: '12' },
      { kind: 'comment', text: '-- where' },
    ]);
  });

  it.each([
    'SELECT 1',
    `'never closed /* " `,
    '/* never closed',
    '"a""b" `c``d` \u0000 \u{1F600} \r\n--',
    '',
    ' '.repeat(COLOURED_MAX + 1),
  ])('never changes the text of %j', (sql) => {
    expect(
      colour(sql)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(sql);
  });
});
