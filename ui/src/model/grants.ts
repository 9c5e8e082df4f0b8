// What the person allowed beyond one request.

import type { Grant, Scope, View } from './view';

export type WiderScope = Exclude<Scope, 'once'>;
export type SessionGrant = Grant & { scope: WiderScope };

/** What a request can be allowed beyond itself, as the program offers it. */
export function wider(scopes: Scope[]): WiderScope[] {
  return scopes.filter((scope) => scope !== 'once');
}

/** What a connection may do in its session without another question, oldest first. */
export function grantsOf(view: View, clientId: string): SessionGrant[] {
  return Object.keys(view.grants)
    .sort()
    .map((key) => view.grants[key]!)
    .filter((grant): grant is SessionGrant => grant.scope !== 'once')
    .filter((grant) => grant.client_id === clientId);
}
