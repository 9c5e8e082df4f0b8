// An event stream that a test writes to by hand.

import type { Stream } from '../stream/feed';

export class HandStream implements Stream {
  onerror: ((event: Event) => unknown) | null = null;
  closed = false;
  #listeners = new Map<string, (event: MessageEvent<string>) => void>();

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.#listeners.set(type, listener);
  }

  close() {
    this.closed = true;
  }

  send(type: 'snapshot' | 'patch', message: unknown) {
    this.#listeners.get(type)?.(new MessageEvent(type, { data: JSON.stringify(message) }));
  }

  fail() {
    this.onerror?.(new Event('error'));
  }
}
