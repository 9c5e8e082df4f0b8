// The view as the program sends it (docs/interface.md, "The view"). Only shapes; no logic.

export type Operation = 'list_tables' | 'describe_table' | 'read_table' | 'query_sql';

export type RequestStatus =
  | 'pending'
  | 'running'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled'
  | 'expired'
  | 'revoked'
  | 'result_expired';

/** What a sharing entry allows. `none` is the absence of an entry, so the view never carries it. */
export type Level = 'ask' | 'read';
export type LevelChoice = 'none' | Level;

export const ALL_AGENTS = 'all_agents';

export type Source = {
  source_id: string;
  name: string;
  /** What agents see instead of the name and the path. */
  alias: string;
  engine: string;
  location: string;
  added_at_ms: number;
  /** Keyed by `all_agents` or by a client's id. */
  shared: Record<string, Level>;
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
  source_id: string;
  /** This and the next three: nothing once the source is removed. */
  source_name: string | null;
  source_alias: string | null;
  engine: string | null;
  location: string | null;
  operation: Operation;
  /** The exact text that will run; nothing for operations that read the catalog only. */
  sql: string | null;
  tables: [string, string][];
  status: RequestStatus;
  needs_decision: boolean;
  authorised_by: null | 'once' | 'shared_access';
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
  clients: Record<string, Client>;
  requests: Record<string, Request>;
  activity: Record<string, ActivityEntry>;
  limits: {
    decision_ms: number;
    operation_ms: number;
    rows_max: number;
    result_bytes_max: number;
  };
};
