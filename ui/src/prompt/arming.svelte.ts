// Controls that appear under a pointer or a focus must not be hit by accident: they come alive
// only some time after the person can have seen them.

/** Long enough that a click or key that was already on its way has passed. */
export const ARMING_MS = 700;

export class Arming {
  armed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts over when the window comes back to the front, where the same accident can happen. */
  start(): () => void {
    const again = () => this.#again();
    again();
    addEventListener('focus', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearTimeout(this.#timer);
      removeEventListener('focus', again);
      document.removeEventListener('visibilitychange', again);
    };
  }

  #again() {
    clearTimeout(this.#timer);
    this.armed = false;
    if (document.visibilityState === 'hidden') return;
    this.#timer = setTimeout(() => (this.armed = true), ARMING_MS);
  }
}
