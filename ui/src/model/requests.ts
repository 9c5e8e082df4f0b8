// Which requests wait for the person, and what became of one that no longer does.

import type { Request, View } from './view';

/** Oldest first, so that a new request never takes the place of the one being read. */
export function waiting(view: View, decided: ReadonlySet<string> = new Set()): Request[] {
  return Object.values(view.requests)
    .filter((request) => request.needs_decision && !decided.has(request.request_id))
    .sort(byAge);
}

/** What runs, and what may run as soon as one of DBeast's few slots is free. */
export function running(view: View): Request[] {
  return Object.values(view.requests)
    .filter((request) => request.status === 'running' || waitsForSlot(request))
    .sort(byAge);
}

/** Allowed, and not started: the person can still take it back. */
export function waitsForSlot(request: Request): boolean {
  return request.status === 'pending' && !request.needs_decision;
}

/** Why a request that was on the screen can no longer be decided. */
export function whyClosed(request: Request | undefined): string {
  switch (request?.status) {
    case 'expired':
      return request.authorised_by
        ? 'It was allowed in another window and then ran out of time.'
        : 'The time to decide ran out. Nothing was run.';
    case 'cancelled':
      return request.authorised_by
        ? 'It was allowed in another window and then cancelled.'
        : 'It was cancelled before you decided. Nothing was run.';
    case 'revoked':
      return 'Its session, connection or sharing was taken back. Nothing will be handed over.';
    case 'denied':
      return 'It was denied in another window. Nothing was run.';
    case 'running':
    case 'completed':
    case 'failed':
    case 'result_expired':
    case 'completed_result_revoked':
      return 'It was allowed in another window.';
    case 'outcome_unknown':
      return 'It was allowed in another window. Nobody can say whether it took effect.';
    case 'pending':
      return 'It no longer needs a decision.';
    case undefined:
      return 'DBeast no longer keeps it. It cannot be run any more.';
  }
}

function byAge(a: Request, b: Request): number {
  return a.submitted_at_ms - b.submitted_at_ms || a.request_id.localeCompare(b.request_id);
}
