// The database of the tests: small, and with every kind of value that an answer must carry exactly.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { AGENTS, hide, LOGS } from './leaks.mjs';
import { PYTHON } from './paths.mjs';
import { folder } from './program.mjs';

const MAKE = `
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.executescript('''
        create table ledger (id integer primary key, owner text not null, cents integer not null, seal blob, note text);
        insert into ledger values
            (1, 'Ana', 9223372036854775807, x'00ff10', null),
            (2, 'さくら', -9007199254740993, x'', 'It''s "paid"'),
            (3, 'דנה', 0, null, '<b>1 < 2</b>');
    ''')
`;

export const QUESTION = 'select id, owner, cents, seal, note from main.ledger order by id';

/** What an agent must receive for the question. */
export const ROWS = [
  ['1', 'Ana', '9223372036854775807', { binary_hex: '00ff10' }, null],
  ['2', 'さくら', '-9007199254740993', { binary_hex: '' }, 'It\'s "paid"'],
  ['3', 'דנה', '0', null, '<b>1 < 2</b>'],
];

/** The path of a fresh copy, outside of the program's own folder. */
export async function database(t) {
  const file = path.join(await folder(t), 'ledger.db');
  hide('the path of a database', file, [AGENTS, LOGS]);
  hide('the file of a database', path.basename(file), [AGENTS, LOGS]);
  execFileSync(PYTHON, ['-c', MAKE, file]);
  return file;
}
