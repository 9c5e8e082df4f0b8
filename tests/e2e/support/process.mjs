// Child processes that end with their test, each by its own id.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How long a child may take to end once it is asked to. */
export const END_MS_MAX = 5_000;

const running = new Set();
// The last resort, when the whole run is cut off and no test can clean up.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** A started child with what it has said so far. */
export class Child {
  stdout = '';
  stderr = '';
  #wasCutOff = false;
  #process;
  #lines;
  #closed;

  constructor(command, args, { env = {}, input = 'ignore' } = {}) {
    this.#process = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: [input, 'pipe', 'pipe'],
    });
    running.add(this.#process);
    this.#process.stdout.setEncoding('utf8').on('data', (text) => (this.stdout += text));
    this.#process.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#closed = once(this.#process, 'close').then(([code, signal]) => {
      running.delete(this.#process);
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** The next line of standard output; a child that ends instead is an error. */
  async line() {
    const { value, done } = await this.#lines.next();
    if (!done) return value;
    const { code, signal } = await this.#closed;
    throw new Error(`ended (${signal ?? code}) without a further line:\n${this.stderr}`);
  }

  write(text) {
    this.#process.stdin.write(text);
  }

  /** Writes the last there is to read. */
  finish(text) {
    this.#process.stdin.end(text);
  }

  /** Waits for its end: `{code, signal, stdout, stderr}`. */
  ended() {
    return this.#closed;
  }

  /** Ends it without a word, as a crash would. */
  async cutOff() {
    this.#wasCutOff = true;
    this.#process.kill('SIGKILL');
    await this.#closed;
  }

  /** Asks it to end and waits; one that does not heed is killed, which is an error. */
  async stop(signal = 'SIGTERM') {
    this.#process.kill(signal);
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), END_MS_MAX);
    const end = await this.#closed;
    clearTimeout(kill);
    if (end.signal === 'SIGKILL' && !this.#wasCutOff) throw new Error(`did not end within ${END_MS_MAX} ms of ${signal}`);
    return end;
  }
}
