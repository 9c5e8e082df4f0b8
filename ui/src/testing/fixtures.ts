// A small world for tests: complete values, of which a test changes what it is about.

import type {
  ActivityEntry,
  Client,
  Grant,
  OpenDocument,
  Request,
  Source,
  View,
} from '../model/view';

export const NOW = 1_700_000_000_000;

export function aRequest(change: Partial<Request> = {}): Request {
  return {
    request_id: 'r1',
    client_id: 'c1',
    client_label: 'Editor',
    session_id: 's1',
    session_label: 'Monthly figures',
    source_id: 'shop',
    file_id: null,
    range: null,
    source_name: 'Shop',
    source_alias: 'SQLite source 1',
    engine: 'sqlite',
    location: '/data/shop.db',
    operation: 'query_sql',
    sql: 'SELECT "id" FROM "main"."orders"',
    tables: [['main', 'orders']],
    may_write: false,
    touches_all_rows: false,
    estimate: null,
    scopes: ['once', 'table', 'source'],
    status: 'pending',
    needs_decision: true,
    authorised_by: null,
    rows_max: 500,
    deadline_ms: 30_000,
    submitted_at_ms: NOW,
    expires_at_ms: NOW + 300_000,
    ...change,
  };
}

export function aSource(change: Partial<Source> = {}): Source {
  return {
    source_id: 'shop',
    name: 'Shop',
    alias: 'SQLite source 1',
    engine: 'sqlite',
    location: '/data/shop.db',
    context: null,
    is_available: true,
    is_read_only: false,
    read_lock: 'full',
    added_at_ms: NOW,
    shared: {},
    shared_tables: {},
    ...change,
  };
}

export function aClient(change: Partial<Client> = {}): Client {
  return { client_id: 'c1', label: 'Editor', created_at_ms: NOW, session: null, ...change };
}

export function aGrant(change: Partial<Grant> = {}): Grant {
  return {
    grant_id: 1,
    session_id: 's1',
    client_id: 'c1',
    scope: 'table',
    request_id: null,
    source_id: 'shop',
    file_id: null,
    version: null,
    table: ['main', 'orders'],
    granted_at_ms: NOW,
    ...change,
  };
}

export function anEntry(change: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    entry: 1,
    at_ms: NOW,
    client_label: 'Editor',
    session_id: 's1',
    session_label: null,
    request_id: null,
    source_name: null,
    source_alias: null,
    operation: null,
    event: 'session_began',
    status: null,
    sql: null,
    authorised_by: null,
    scope: null,
    detail: null,
    ...change,
  };
}

type Parts = {
  sources?: Source[];
  documents?: OpenDocument[];
  clients?: Client[];
  grants?: Grant[];
  requests?: Request[];
  activity?: ActivityEntry[];
};

export function aView({
  sources = [],
  documents = [],
  clients = [],
  grants = [],
  requests = [],
  activity = [],
}: Parts = {}): View {
  return {
    server: {
      version: '0',
      mcp_url: 'http://127.0.0.1:1/mcp',
      vault: 'memory',
      started_at_ms: NOW,
    },
    notices: {},
    sources: Object.fromEntries(sources.map((one) => [one.source_id, one])),
    documents: Object.fromEntries(documents.map((one) => [one.file_id, one])),
    grants: Object.fromEntries(grants.map((one) => [String(one.grant_id).padStart(12, '0'), one])),
    clients: Object.fromEntries(clients.map((one) => [one.client_id, one])),
    requests: Object.fromEntries(requests.map((one) => [one.request_id, one])),
    activity: Object.fromEntries(activity.map((one) => [String(one.entry).padStart(8, '0'), one])),
    limits: {
      decision_ms: 300_000,
      operation_ms: 30_000,
      rows_max: 500,
      result_bytes_max: 262_144,
    },
  };
}
