// One function for each call of the program's interface (docs/interface.md, "Calls").

import type { LevelChoice, ReadLock, Scope } from '../model/view';
import { below } from './place';
import { CallFailed, readFailure, UNREACHABLE } from './failure';

export type Configuration = {
  client: string;
  title: string;
  kind: 'command' | 'file';
  file: string | null;
  text: string;
};

export type NewClient = {
  client_id: string;
  token: string;
  mcp_url: string;
  configurations: Configuration[];
};

export type Audience = 'all_agents' | { client_id: string };

type Named = { name: string; alias?: string; read_only?: true };
export type NewFile = Named & { path: string };
export type ServerEngine = 'postgres' | 'mysql' | 'mariadb';
export type NewServer = Named & {
  engine: ServerEngine;
  host: string;
  port?: number;
  database: string;
  user: string;
  password?: string;
};

export const addSource = (source: NewFile | NewServer) =>
  call<{ source_id: string }>('POST', '/api/sources', source);

export type SourceChange = { password: string } | { read_lock: ReadLock } | { read_only: boolean };

export const changeSource = (id: string, change: SourceChange) =>
  call<void>('PATCH', `/api/sources/${segment(id)}`, change);

export const removeSource = (id: string) => call<void>('DELETE', `/api/sources/${segment(id)}`);

export const createClient = (label: string) => call<NewClient>('POST', '/api/clients', { label });

export const revokeClient = (id: string) => call<void>('DELETE', `/api/clients/${segment(id)}`);

export const endSession = (id: string) => call<void>('DELETE', `/api/sessions/${segment(id)}`);

export const share = (source_id: string, audience: Audience, level: LevelChoice) =>
  call<void>('PUT', '/api/sharing', { source_id, audience, level });

export const allow = (id: string, scope: Scope) =>
  call<void>('POST', `/api/requests/${segment(id)}/allow`, scope === 'once' ? {} : { scope });

export const takeBack = (grantId: number) => call<void>('DELETE', `/api/grants/${grantId}`);

export const deny = (id: string, note: string) =>
  call<void>('POST', `/api/requests/${segment(id)}/deny`, note ? { note } : {});

export const stopAll = () => call<void>('POST', '/api/stop-all', {});

/** The recording, as a file to save. */
export const RECORDING = '/api/recording';

export type Diagnostics = {
  since_ms: number;
  events: number;
  recording: {
    from_event: number;
    events: number;
    events_max: number;
    bytes: number;
    bytes_max: number;
  };
  invariants: {
    id: string;
    sentence: string;
    broken: number;
    first_broken_at_ms: number | null;
  }[];
};

export const diagnostics = () => call<Diagnostics>('GET', '/api/diagnostics');

let onLocked: () => void = () => {};

/** Called when any answer says that this browser is not let in (any more). */
export function whenLocked(then: () => void) {
  onLocked = then;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(below(path), {
      method,
      credentials: 'same-origin',
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new CallFailed(UNREACHABLE);
  }
  if (answer.status === 401) onLocked();
  if (!answer.ok) throw new CallFailed(await readFailure(answer));
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

const segment = encodeURIComponent;
