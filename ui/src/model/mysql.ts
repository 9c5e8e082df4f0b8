// Names and texts as MySQL and MariaDB read them, for statements that a person copies.

export const quotedName = (name: string): string => '`' + name.replaceAll('`', '``') + '`';

/** The database of a GRANT, where `_` and `%` would stand for any letters of other databases' names. */
export const quotedDatabase = (name: string): string =>
  quotedName(name.replaceAll(/[_%]/g, (sign) => `\\${sign}`));

export const quotedText = (text: string): string =>
  "'" + text.replaceAll('\\', '\\\\').replaceAll("'", "''") + "'";
