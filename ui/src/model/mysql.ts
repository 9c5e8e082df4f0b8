// Names and texts as MySQL and MariaDB read them, for statements that a person copies.

export const quotedName = (name: string): string => '`' + name.replaceAll('`', '``') + '`';

export const quotedText = (text: string): string =>
  "'" + text.replaceAll('\\', '\\\\').replaceAll("'", "''") + "'";
