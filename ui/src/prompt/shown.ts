// Which request the prompt shows.

import type { Request } from '../model/view';

/**
 * The one on the screen stays until the person has decided on it or closed it, whatever happens to
 * it or arrives behind it. Only then the oldest waiting one takes its place.
 */
export function nextShown(
  shown: Request | null,
  queue: Request[],
  decided: ReadonlySet<string>,
): Request | null {
  if (shown && !decided.has(shown.request_id)) {
    return queue.find((request) => request.request_id === shown.request_id) ?? shown;
  }
  return queue[0] ?? null;
}
