// Keeps one event stream open: snapshot, then patches, and a new stream after a gap or a loss.

import { below } from '../api/place';
import { advance, GAP, type Held, type Patch, type Snapshot } from './revision';

/** `locked`: the program does not know this browser (any more); only a fresh link helps. */
export type Phase = 'connecting' | 'live' | 'lost' | 'locked';

export type Listener = {
  onView(held: Held, nowMs: number): void;
  /** `retryAtMs` is given while `lost`: when the next attempt starts, by `Date.now()`. */
  onPhase(phase: Phase, retryAtMs: number | null): void;
};

export type Feed = { retryNow(): void; lock(): void; close(): void };

/** The part of EventSource that is used, so that a test can bring its own. */
export type Stream = {
  onerror: ((event: Event) => unknown) | null;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
};

export type FeedOptions = {
  open?: () => Stream;
  /** Asks whether this browser is still let in; the stream itself does not tell why it failed. */
  isLocked?: () => Promise<boolean>;
};

const RETRY_FIRST_MS = 500;
const RETRY_LONGEST_MS = 15_000;

export function openFeed(listener: Listener, options: FeedOptions = {}): Feed {
  const open = options.open ?? (() => new EventSource(below('/api/stream')));
  const isLocked = options.isLocked ?? askWhetherLocked;

  let stream: Stream | null = null;
  let held: Held | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function connect() {
    clearTimeout(timer);
    stream?.close();
    held = null;
    const current = open();
    stream = current;
    current.addEventListener('snapshot', (event) => {
      if (current !== stream) return;
      const message = JSON.parse(event.data) as Snapshot;
      held = { revision: message.revision, view: message.view };
      failures = 0;
      listener.onView(held, message.now_ms);
      listener.onPhase('live', null);
    });
    current.addEventListener('patch', (event) => {
      if (current !== stream) return;
      const message = JSON.parse(event.data) as Patch;
      const next = advance(held, message);
      if (next === GAP) {
        listener.onPhase('connecting', null);
        again();
        return;
      }
      held = next;
      listener.onView(held, message.now_ms);
    });
    current.onerror = () => {
      if (current === stream) void lose();
    };
  }

  /** A gap asks for a new snapshot at once, but gaps in a row wait like losses do. */
  function again() {
    stream?.close();
    stream = null;
    held = null;
    failures += 1;
    if (failures === 1) connect();
    else wait();
  }

  async function lose() {
    stream?.close();
    stream = null;
    held = null;
    failures += 1;
    wait();
    if ((await isLocked()) && !closed) lock();
  }

  function wait() {
    const delay = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_LONGEST_MS);
    listener.onPhase('lost', Date.now() + delay);
    clearTimeout(timer);
    timer = setTimeout(connect, delay);
  }

  function lock() {
    close();
    listener.onPhase('locked', null);
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    stream?.close();
    stream = null;
  }

  listener.onPhase('connecting', null);
  connect();
  return {
    retryNow: () => {
      if (!closed) connect();
    },
    lock,
    close,
  };
}

async function askWhetherLocked(): Promise<boolean> {
  try {
    const answer = await fetch(below('/api/snapshot'), { credentials: 'same-origin' });
    return answer.status === 401;
  } catch {
    return false;
  }
}
