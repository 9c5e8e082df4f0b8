// Requests on which the person has decided here, before the stream says so too.

class Decisions {
  #made = $state.raw<ReadonlyMap<string, 'allowed' | 'denied'>>(new Map());

  readonly ids: ReadonlySet<string> = $derived(new Set(this.#made.keys()));

  record(requestId: string, decision: 'allowed' | 'denied') {
    this.#made = new Map(this.#made).set(requestId, decision);
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
    this.#made = new Map();
  }
}

export const decisions = new Decisions();
