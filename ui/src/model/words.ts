// The words for what the program sends as codes. A code without words here is shown as it is.

import type { LevelChoice, Operation, RequestStatus } from './view';

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
};

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

const AUTHORISED: Record<string, string> = {
  once: 'allowed once by you',
  shared_access: 'shared access, no question asked',
};

export const authorisedWords = (by: string): string => AUTHORISED[by] ?? sentence(by);

/** Where the interface has another word than the program: people make connections, not clients. */
const EVENTS: Record<string, string> = {
  client_created: 'Connection created',
  client_revoked: 'Connection revoked',
  sharing_set: 'Sharing changed',
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
