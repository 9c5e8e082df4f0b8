// Durations and moments in words. The moment "now" always comes from outside.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `4:05`, `1:02:03`; never below zero, and a started second counts as a whole one. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const s = String(seconds % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${s}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${s}`;
}

/** `30 s`, `5 min`, `1 min 30 s`, `2 h`: a length that a limit has. */
export function span(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / SECOND);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** `just now`, `3 min ago`, `2 h ago`, `5 days ago`. */
export function ago(atMs: number, nowMs: number): string {
  const passed = Math.max(0, nowMs - atMs);
  if (passed < 10 * SECOND) return 'just now';
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)} s ago`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  const days = Math.floor(passed / DAY);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** `14:03:09`, with the date in front when it was on another day. */
export function clockTime(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  if (at.toDateString() === new Date(nowMs).toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

const two = (number: number) => String(number).padStart(2, '0');
