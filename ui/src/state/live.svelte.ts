// What the program last said, kept current by the stream. The only place that holds the view.

import { whenLocked } from '../api/calls';
import type { View } from '../model/view';
import { openFeed, type Feed, type FeedOptions, type Phase } from '../stream/feed';

const TICK_MS = 250;

class Live {
  view = $state.raw<View | null>(null);
  phase = $state<Phase>('connecting');
  /** Until the next attempt; only while the stream is lost. */
  retrySeconds = $state<number | null>(null);
  /** The program's clock, moved on by ours between messages. */
  nowMs = $state(Date.now());

  #offsetMs = 0;
  #retryAtMs: number | null = null;
  #feed: Feed | null = null;

  readonly connected = $derived(this.phase === 'live');

  start(options?: FeedOptions): () => void {
    const listener = {
      onView: (held: { view: View }, nowMs: number) => {
        this.view = held.view;
        this.#offsetMs = nowMs - Date.now();
        this.#tick();
      },
      onPhase: (phase: Phase, retryAtMs: number | null) => {
        this.phase = phase;
        this.#retryAtMs = retryAtMs;
        this.#tick();
      },
    };
    const open = () => (this.#feed = openFeed(listener, options));
    open();
    whenLocked(() => this.#feed?.lock());
    const timer = setInterval(() => this.#tick(), TICK_MS);

    // A page that comes back from the browser's cache has a dead stream.
    const restore = (event: PageTransitionEvent) => {
      if (event.persisted) this.#feed?.retryNow();
    };
    addEventListener('pageshow', restore);
    return () => {
      clearInterval(timer);
      removeEventListener('pageshow', restore);
      this.#feed?.close();
    };
  }

  retryNow() {
    this.#feed?.retryNow();
  }

  #tick() {
    this.nowMs = Date.now() + this.#offsetMs;
    const wait = this.#retryAtMs === null ? 0 : Math.ceil((this.#retryAtMs - Date.now()) / 1000);
    this.retrySeconds = wait > 0 ? wait : null;
  }
}

export const live = new Live();
