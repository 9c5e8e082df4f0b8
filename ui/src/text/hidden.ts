// Makes characters visible that a person would not see or that change how the rest is drawn.

export type Piece =
  | { kind: 'text'; text: string }
  /** Stands for one character, or a run of the same one; `code` is drawn in its place. */
  | { kind: 'hidden'; code: string; name: string };

export type Revealed = { pieces: Piece[]; hidden: number };

// Everything without a glyph of its own: controls, format characters (bidi, zero width, tags),
// lone surrogates, private use, unassigned, separators and all spaces that are not the plain one.
// Marks that pile up on one letter are taken from the fourth on, since they can cover other lines.
const HIDDEN = new RegExp(
  [
    String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`,
    String.raw`(?! )\p{Zs}`,
    String.raw`(?<=\p{M}{3})\p{M}`,
  ].join('|'),
  'gu',
);

const NAMES: Record<string, string> = {
  '0000': 'null',
  '0008': 'backspace',
  '000D': 'carriage return',
  '001B': 'escape',
  '007F': 'delete',
  '00A0': 'no-break space',
  '00AD': 'soft hyphen',
  '061C': 'Arabic letter mark',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '2028': 'line separator',
  '2029': 'paragraph separator',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  FEFF: 'zero width no-break space',
};

/** `multiline` keeps line feeds and tabs as they are; in a label they are marked as well. */
export function reveal(text: string, multiline = false): Revealed {
  const pieces: Piece[] = [];
  let hidden = 0;
  let from = 0;
  let run: Run | undefined;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[0];
    if (multiline && (character === '\n' || character === '\t')) continue;
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    if (run && run.character === character && match.index === from) run.length += 1;
    else pieces.push(mark((run = { character, length: 1 })));
    if (run.length > 1) pieces[pieces.length - 1] = mark(run);
    hidden += 1;
    from = match.index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return { pieces, hidden };
}

/** The same as one string, for places that hold only text (a title, an announcement). */
export function revealText(text: string): string {
  return reveal(text)
    .pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.code))
    .join('');
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Whether letters are present that are normally drawn from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

type Run = { character: string; length: number };

function mark({ character, length }: Run): Piece {
  const hex = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  const times = length > 1 ? ` ×${length}` : '';
  return { kind: 'hidden', code: `⟦U+${hex}${times}⟧`, name: NAMES[hex] ?? 'hidden character' };
}
