// Splits SQL into pieces for colouring. Only the colour depends on it, never the text:
// the pieces joined are always exactly the input.

export type SqlPiece = {
  kind: 'plain' | 'keyword' | 'string' | 'name' | 'number' | 'comment';
  text: string;
};

/** Longer text is shown without colour, so that a large statement is as quick as a small one. */
export const COLOURED_MAX = 20_000;

const TOKEN = new RegExp(
  [
    /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<string>'(?:[^']|'')*'?)/,
    /(?<name>"(?:[^"]|"")*"?|`(?:[^`]|``)*`?)/,
    /(?<number>\b\d+(?:\.\d+)?\b)/,
    /(?<word>[A-Za-z_][A-Za-z0-9_]*)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);

const KEYWORDS = new Set(
  `ALL AND AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FALSE FILTER
  FIRST FROM FULL GROUP HAVING IN INNER INTERSECT IS JOIN LAST LEFT LIKE LIMIT NATURAL NOT NULL
  NULLS OFFSET ON OR ORDER OUTER RIGHT SELECT THEN TRUE UNION USING VALUES WHEN WHERE WITH`.split(
    /\s+/,
  ),
);

export function colour(sql: string): SqlPiece[] {
  if (sql.length > COLOURED_MAX) return [{ kind: 'plain', text: sql }];
  const pieces: SqlPiece[] = [];
  let from = 0;
  for (const match of sql.matchAll(TOKEN)) {
    const kind = kindOf(match.groups!);
    if (kind === 'plain') continue;
    if (match.index > from) pieces.push({ kind: 'plain', text: sql.slice(from, match.index) });
    pieces.push({ kind, text: match[0] });
    from = match.index + match[0].length;
  }
  if (from < sql.length) pieces.push({ kind: 'plain', text: sql.slice(from) });
  return pieces;
}

function kindOf(groups: Record<string, string | undefined>): SqlPiece['kind'] {
  if (groups.comment) return 'comment';
  if (groups.string) return 'string';
  if (groups.name) return 'name';
  if (groups.number) return 'number';
  return groups.word && KEYWORDS.has(groups.word.toUpperCase()) ? 'keyword' : 'plain';
}
