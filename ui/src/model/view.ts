// The view as the program sends it (docs/interface.md, "The view"). Only shapes; no logic.

export type Operation =
  | 'list_tables'
  | 'describe_table'
  | 'read_table'
  | 'query_sql'
  | 'request_sql'
  | 'read_open_file';

export type RequestStatus =
  | 'pending'
  | 'running'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'expired'
  | 'revoked'
  | 'outcome_unknown'
  | 'completed_result_revoked'
  | 'result_expired';

/** What a sharing entry allows. `none` is the absence of an entry, so the view never carries it. */
export type Level = 'ask' | 'read' | 'read_write';
export type LevelChoice = 'none' | Level;

/** How far a decision reaches, from the narrowest. */
export type Scope = 'once' | 'table' | 'source' | 'full_sql' | 'document';

export type SharedTable = { schema: string; name: string; access: 'read' | 'read_write' };

export type ReadLock = 'full' | 'weak';

/** What a database expects of a write before it runs. */
export type Estimate = {
  /** Rows that it would touch, where the database says so. */
  rows: number | null;
  /** The plan in the database's own words. */
  plan: string | null;
};

export const ALL_AGENTS = 'all_agents';

export type Source = {
  source_id: string;
  name: string;
  /** What agents see instead of the name and the path. */
  alias: string;
  engine: string;
  location: string;
  /** The database or schema in which names are looked up; nothing for the engine's own. */
  context: string | null;
  is_available: boolean;
  is_read_only: boolean;
  /** How tables are held while an agent reads. */
  read_lock: ReadLock;
  added_at_ms: number;
  /** Keyed by `all_agents` or by a client's id. */
  shared: Record<string, Level>;
  /** Tables with a level of their own, keyed alike. */
  shared_tables: Record<string, SharedTable[]>;
};

export type OpenDocument = {
  file_id: string;
  name: string;
  /** What agents see instead of the name. */
  alias: string;
  kind: 'sql' | 'text';
  /** Which snapshot this is. */
  version: number;
  bytes: number;
  opened_at_ms: number;
  /** `all_agents` or clients' ids. */
  shared: string[];
};

export type Grant = {
  grant_id: number;
  session_id: string;
  client_id: string | null;
  scope: Scope;
  /** The one request, for `once`. */
  request_id: string | null;
  source_id: string | null;
  file_id: string | null;
  /** Which snapshot of the document. */
  version: number | null;
  table: [string, string] | null;
  granted_at_ms: number;
};

export type Session = {
  session_id: string;
  /** The agent's own words, or nothing. */
  label: string | null;
  began_at_ms: number;
  last_used_at_ms: number;
  expires_at_ms: number;
};

export type Client = {
  client_id: string;
  /** The person's words. */
  label: string;
  created_at_ms: number;
  session: Session | null;
};

export type Request = {
  request_id: string;
  client_id: string;
  /** Nothing once the connection is revoked. */
  client_label: string | null;
  session_id: string;
  /** The agent's own words, or nothing. */
  session_label: string | null;
  /** The source that it is about, or else the document. */
  source_id: string | null;
  file_id: string | null;
  /** Of a document: the first byte, the one after the last, and the size of all. */
  range: [number, number, number] | null;
  /** This and the next three: nothing once the source is removed. Of a document: its name. */
  source_name: string | null;
  source_alias: string | null;
  engine: string | null;
  location: string | null;
  operation: Operation;
  /** The exact text that will run; nothing for operations that read the catalog only. */
  sql: string | null;
  tables: [string, string][];
  may_write: boolean;
  /** As far as that is known. */
  touches_all_rows: boolean;
  /** Comes a moment after the request, or never. */
  estimate: Estimate | null;
  /** How far a decision can reach, from the narrowest. */
  scopes: Scope[];
  status: RequestStatus;
  needs_decision: boolean;
  authorised_by: null | 'once' | 'session_grant' | 'shared_access';
  rows_max: number;
  /** How long the operation may take once it runs. */
  deadline_ms: number;
  submitted_at_ms: number;
  /** When the time to decide ends. */
  expires_at_ms: number;
};

export type ActivityEntry = {
  entry: number | string;
  at_ms: number;
  client_label: string | null;
  session_id: string | null;
  session_label: string | null;
  request_id: string | null;
  source_name: string | null;
  source_alias: string | null;
  operation: string | null;
  event: string;
  status: string | null;
  sql: string | null;
  authorised_by: string | null;
  /** How far a decision reached. */
  scope: string | null;
  detail: string | null;
};

export type Notice = {
  code: string;
  severity: 'info' | 'warning';
  message: string;
  hint: string;
};

export type View = {
  server: {
    version: string;
    /** Nothing while the door for agents is closed. */
    mcp_url: string | null;
    vault: 'keychain' | 'memory';
    started_at_ms: number | null;
  };
  notices: Record<string, Notice>;
  sources: Record<string, Source>;
  documents: Record<string, OpenDocument>;
  clients: Record<string, Client>;
  grants: Record<string, Grant>;
  requests: Record<string, Request>;
  activity: Record<string, ActivityEntry>;
  limits: {
    decision_ms: number;
    operation_ms: number;
    rows_max: number;
    result_bytes_max: number;
  };
};
