// The words for what the program sends as codes. A code without words here is shown as it is.

import type { LevelChoice, Operation, ReadLock, RequestStatus, Scope } from './view';

type OperationWords = {
  /** The heading of the prompt: fixed words, nothing of the request in them. */
  question: string;
  /** Short, for lists. */
  short: string;
  /** What happens, in one line. */
  effect: string;
};

export const OPERATIONS: Record<Operation, OperationWords> = {
  list_tables: {
    question: 'Allow listing the tables?',
    short: 'List tables',
    effect: 'Names only. No rows, no changes.',
  },
  describe_table: {
    question: 'Allow describing one table?',
    short: 'Describe table',
    effect: 'Columns only. No rows, no changes.',
  },
  read_table: {
    question: 'Allow reading rows of one table?',
    short: 'Read table',
    effect: 'Reads rows. No changes.',
  },
  query_sql: {
    question: 'Allow this read query?',
    short: 'Read query',
    effect: 'Reads rows. No changes.',
  },
  request_sql: {
    question: 'Allow this statement, which may change data?',
    short: 'Any statement',
    effect: 'May change or delete data.',
  },
  read_open_file: {
    question: 'Allow reading part of an open document?',
    short: 'Read document',
    effect: 'Reads text. No changes.',
  },
};

export function operationWords(operation: string): OperationWords {
  return (
    OPERATIONS[operation as Operation] ?? {
      question: 'Allow this operation?',
      short: operation,
      effect: 'Unknown to this page. Deny if in doubt.',
    }
  );
}

export const STATUSES: Record<RequestStatus, string> = {
  pending: 'Waiting',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  denied: 'Denied',
  cancelled: 'Cancelled',
  expired: 'Expired',
  revoked: 'Revoked',
  outcome_unknown: 'Outcome unknown',
  completed_result_revoked: 'Completed, result revoked',
  result_expired: 'Result expired',
};

export const LEVELS: Record<LevelChoice, { name: string; meaning: string }> = {
  none: {
    name: 'None',
    meaning: 'The source does not exist for the agent. It is not even listed.',
  },
  ask: {
    name: 'Ask each time',
    meaning: 'The agent sees the alias. You decide on every single request before it runs.',
  },
  read: {
    name: 'Read without asking',
    meaning: 'Verified reads of every supported table run at once, without a question. No changes.',
  },
  read_write: {
    name: 'Read and write without asking',
    meaning: 'Any single statement runs at once, without a question. It can change and delete data.',
  },
};

/** How tables are held while an agent reads, and what each way does not exclude. */
export const READ_LOCKS: Record<ReadLock, { name: string; meaning: string }> = {
  full: {
    name: 'Full read lock',
    meaning:
      'Nobody can change the definition of a table between its check and the end of the read. PostgreSQL gives this ' +
      'lock only to accounts that may also UPDATE, DELETE or TRUNCATE the table, and only on a primary server.',
  },
  weak: {
    name: 'Weaker read lock',
    meaning:
      'Enough for accounts that may only SELECT, also on a standby. A table is checked before the read and again ' +
      'after it, and on any difference the result is dropped. Not excluded: in between, the server may evaluate an ' +
      'index expression that somebody has just added.',
  },
};

/** What the person must know before any statement of an agent is allowed. */
export const FULL_SQL_BOUNDARY =
  'Full SQL is not a sandbox. It runs with everything that the account of this source may do. Functions, triggers ' +
  'and extensions can do more than the statement says, and a full table name can point to another database.';

type ScopeWords = {
  /** The button: fixed words, nothing of the request in them. */
  choice: string;
  /** What else then runs without a question. */
  covers: string;
  /** In a list of what is allowed, before the name of what it is about. */
  listed: string;
};

/** What a decision can reach beyond the one request. */
export const SCOPES: Record<Exclude<Scope, 'once'>, ScopeWords> = {
  table: {
    choice: 'This table for this session',
    covers: 'reads of nothing but this table, until the session ends, the tables are redefined or you take it back',
    listed: 'Reads of the table',
  },
  source: {
    choice: 'Every table of this source for this session (read only)',
    covers: 'reads of all tables and their columns, until the session ends or you take it back',
    listed: 'Reads of every table of',
  },
  full_sql: {
    choice: 'Any statement on this source for this session',
    covers: 'any statement, also one that changes or deletes data, until the session ends or you take it back',
    listed: 'Any statement on',
  },
  document: {
    choice: 'This document for this session',
    covers: 'reads of this version of the document, until the session ends, it is changed or you take it back',
    listed: 'Reads of the document',
  },
};

export const scopeWords = (scope: string): string =>
  SCOPES[scope as keyof typeof SCOPES]?.choice ?? sentence(scope);

const ENGINES: Record<string, string> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
};

export const engineName = (engine: string | null): string =>
  engine === null ? '' : (ENGINES[engine] ?? engine);

/** For requests that outlive what they were about. */
export const REVOKED_CONNECTION = 'a revoked connection';
export const REMOVED_SOURCE = 'a removed source';
export const CLOSED_DOCUMENT = 'a closed document';

const AUTHORISED: Record<string, string> = {
  once: 'allowed once by you',
  session_grant: 'allowed for the session by you',
  shared_access: 'shared access, no question asked',
};

export const authorisedWords = (by: string): string => AUTHORISED[by] ?? sentence(by);

/** Where the interface has another word than the program: people make connections, not clients. */
const EVENTS: Record<string, string> = {
  client_created: 'Connection created',
  client_revoked: 'Connection revoked',
  sharing_set: 'Sharing changed',
  grant_revoked: 'Allowance taken back',
  grant_ended: 'Allowance ended, the tables were redefined',
  all_stopped: 'Everything stopped',
};

export const eventWords = (event: string): string => EVENTS[event] ?? sentence(event);

/** `request_allowed` becomes `Request allowed`. */
export function sentence(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** `main.orders` */
export const tableName = ([schema, name]: [string, string]): string => `${schema}.${name}`;
