// The rules of sharing that the person has to foresee: the union of entries, and what narrowing ends.

import { ALL_AGENTS, type Client, type LevelChoice, type Source, type View } from './view';

const RANK: Record<LevelChoice, number> = { none: 0, ask: 1, read: 2, read_write: 3 };

/** The entry itself, without the other one that may apply as well. */
export function entry(source: Source, audience: string): LevelChoice {
  return source.shared[audience] ?? 'none';
}

/** What a connection really has: the higher of its own entry and the one for All Agents. */
export function effective(source: Source, clientId: string): LevelChoice {
  return higher(entry(source, clientId), entry(source, ALL_AGENTS));
}

export function isNarrowing(source: Source, audience: string, level: LevelChoice): boolean {
  return RANK[level] < RANK[entry(source, audience)];
}

/** The connections to which an entry applies. */
export function reach(view: View, audience: string): Client[] {
  const clients = Object.values(view.clients).sort(byLabel);
  return audience === ALL_AGENTS
    ? clients
    : clients.filter((client) => client.client_id === audience);
}

/** Requests whose work or result ends when this entry is narrowed. */
export function endedByNarrowing(view: View, sourceId: string, audience: string): number {
  const open = ['pending', 'running', 'completed'];
  return Object.values(view.requests).filter(
    (request) =>
      request.source_id === sourceId &&
      (audience === ALL_AGENTS || request.client_id === audience) &&
      open.includes(request.status),
  ).length;
}

/** How many connections can use a source now. */
export function usersOf(view: View, source: Source): number {
  return Object.values(view.clients).filter(
    (client) => effective(source, client.client_id) !== 'none',
  ).length;
}

export function byLabel(a: Client, b: Client): number {
  return a.label.localeCompare(b.label) || a.client_id.localeCompare(b.client_id);
}

function higher(a: LevelChoice, b: LevelChoice): LevelChoice {
  return RANK[a] >= RANK[b] ? a : b;
}
