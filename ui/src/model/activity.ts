// The activity list: newest first, and the filter box over everything a row shows.

import type { ActivityEntry, View } from './view';
import { eventWords } from './words';

export function newestFirst(view: View): ActivityEntry[] {
  return Object.keys(view.activity)
    .sort((a, b) => (a < b ? 1 : -1))
    .map((key) => view.activity[key]!);
}

/** Every word must occur somewhere in the row; case does not matter. */
export function matches(entry: ActivityEntry, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = [
    entry.client_label,
    entry.session_label,
    entry.source_name,
    entry.source_alias,
    entry.operation,
    entry.event,
    eventWords(entry.event),
    entry.status,
    entry.sql,
    entry.detail,
    entry.request_id,
    entry.session_id,
    entry.authorised_by,
    entry.scope,
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** How a row is toned; the words carry the meaning, the tone only helps to scan. */
export function tone(entry: ActivityEntry): 'good' | 'bad' | 'plain' {
  const text = `${entry.event} ${entry.status ?? ''}`;
  if (/refused|failed|denied|revoked|cancelled|expired|stopped|unknown/.test(text)) return 'bad';
  if (/allowed|completed/.test(text)) return 'good';
  return 'plain';
}
