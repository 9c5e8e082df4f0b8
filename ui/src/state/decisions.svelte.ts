// Requests on which the person has decided here, before the stream says so too.

class Decisions {
  #made = $state.raw<ReadonlyMap<string, 'allowed' | 'denied'>>(new Map());

  /** What was decided last, in words, for a moment: a decision must not leave doubt behind. */
  last = $state('');
  #fading: ReturnType<typeof setTimeout> | undefined;

  readonly ids: ReadonlySet<string> = $derived(new Set(this.#made.keys()));

  record(requestId: string, decision: 'allowed' | 'denied') {
    this.#made = new Map(this.#made).set(requestId, decision);
  }

  tell(words: string) {
    clearTimeout(this.#fading);
    this.last = words;
    this.#fading = setTimeout(() => (this.last = ''), 10_000);
  }

  of(requestId: string): 'allowed' | 'denied' | undefined {
    return this.#made.get(requestId);
  }

  /** Forgets everything the program no longer waits for. */
  keepOnly(stillWaiting: ReadonlySet<string>) {
    const kept = [...this.#made].filter(([id]) => stillWaiting.has(id));
    if (kept.length !== this.#made.size) this.#made = new Map(kept);
  }

  clear() {
    clearTimeout(this.#fading);
    this.last = '';
    this.#made = new Map();
  }
}

export const decisions = new Decisions();
