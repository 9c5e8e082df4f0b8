// Holds the view at one revision and moves it forward. Pure: no network, no clock.

import { immutableJSONPatch, type JSONPatchDocument } from 'immutable-json-patch';
import type { View } from '../model/view';

export type Snapshot = { revision: number; now_ms: number; view: View };
export type Patch = {
  from_revision: number;
  revision: number;
  now_ms: number;
  patch: JSONPatchDocument;
};

export type Held = { revision: number; view: View };

/** The page no longer knows what the program holds and must take a new snapshot. */
export const GAP = Symbol('gap');

/**
 * The view after `message`, sharing every part that did not change.
 * A patch from another revision, or one that does not fit, is a gap: it is never applied in part.
 */
export function advance(held: Held | null, message: Patch): Held | typeof GAP {
  if (!held || message.from_revision !== held.revision) return GAP;
  try {
    const view = immutableJSONPatch<View, View>(held.view, message.patch);
    return { revision: message.revision, view };
  } catch {
    return GAP;
  }
}
