// Holds the view at one revision and moves it forward. Pure: no network, no clock.

import {
  existsIn,
  immutableJSONPatch,
  parsePath,
  type JSONPatchDocument,
  type JSONPatchOperation,
} from 'immutable-json-patch';
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
    const view = immutableJSONPatch<View, View>(held.view, message.patch, { before: demandFit });
    return { revision: message.revision, view };
  } catch {
    return GAP;
  }
}

// The library lets changes of absent places pass; here they mean that the views have parted.
function demandFit(document: unknown, operation: JSONPatchOperation) {
  const path = parsePath(document, operation.path);
  const place = operation.op === 'add' ? path.slice(0, -1) : path;
  const moved = operation.op === 'move' || operation.op === 'copy';
  const needed = moved ? [parsePath(document, operation.from), path.slice(0, -1)] : [place];
  if (!needed.every((one) => existsIn(document, one))) {
    throw new Error(`no such place: ${operation.path}`);
  }
  return { operation };
}
