// Which requests wait for the person, and what became of one that no longer does.

import type { Request, View } from './view';

/** Oldest first, so that a new request never takes the place of the one being read. */
export function waiting(view: View, decided: ReadonlySet<string> = new Set()): Request[] {
  return Object.values(view.requests)
    .filter((request) => request.needs_decision && !decided.has(request.request_id))
    .sort(byAge);
}

export function running(view: View): Request[] {
  return Object.values(view.requests)
    .filter((request) => request.status === 'running')
    .sort(byAge);
}

/** Why a request that was on the screen can no longer be decided. */
export function whyClosed(request: Request | undefined): string {
  switch (request?.status) {
    case 'expired':
      return 'The time to decide ran out. Nothing was run.';
    case 'cancelled':
      return 'It was cancelled before you decided. Nothing was run.';
    case 'revoked':
      return 'Its session, connection or sharing was taken back. Nothing will be handed over.';
    case 'denied':
      return 'It was denied in another window. Nothing was run.';
    case 'running':
    case 'completed':
    case 'failed':
    case 'result_expired':
      return 'It was allowed in another window.';
    case 'pending':
      return 'It no longer needs a decision.';
    case undefined:
      return 'DBeast no longer keeps it. It cannot be run any more.';
  }
}

function byAge(a: Request, b: Request): number {
  return a.submitted_at_ms - b.submitted_at_ms || a.request_id.localeCompare(b.request_id);
}
