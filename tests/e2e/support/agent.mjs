// The agent's side of a conversation: the official Python client in a process of its own.

import { setTimeout as after } from 'node:timers/promises';
import { afterwards } from './cleanup.mjs';
import { checkAgent, FILES, hide, LOGS } from './leaks.mjs';
import { PYTHON, support } from './paths.mjs';
import { Child } from './process.mjs';

/** Of the protocol: with its handshake, or as of 2026-07-28. */
export const ERAS = ['legacy', '2026-07-28'];

export class Agent {
  #child;
  #sessionToken;

  /** Connects and, in the era of the handshake, initialises. */
  static async connect(t, { mcpUrl, token }, era = ERAS[0]) {
    const agent = new Agent();
    agent.#child = new Child(PYTHON, [support('agent.py'), mcpUrl, era], {
      env: { DBEAST_TOKEN: token },
      input: 'pipe',
    });
    afterwards(t, () => agent.#child.stop());
    Object.assign(agent, await agent.#answer());
    return agent;
  }

  async tools() {
    return (await this.#order({ do: 'tools' })).tools;
  }

  async beginSession(label) {
    const begun = await this.call('begin_session', { label });
    this.#sessionToken = begun.session_token;
    hide('the token of a session', begun.session_token, [LOGS, FILES]);
    return begun;
  }

  /** A call that must succeed. */
  async call(tool, args = {}) {
    const { is_error: isError, answer, text } = await this.#call(tool, args);
    if (isError) throw new Error(`${tool} was refused: ${text}`);
    return answer;
  }

  /** A call that must be refused: the error. */
  async refused(tool, args = {}) {
    const { is_error: isError, answer, text } = await this.#call(tool, args);
    if (!isError) throw new Error(`${tool} was not refused: ${text}`);
    return answer.error;
  }

  query(sourceId, sql, requestKey = crypto.randomUUID()) {
    return this.call('query_sql', { source_id: sourceId, sql, request_key: requestKey });
  }

  /** Polls as the program asks, until the request is over. */
  async outcome(requestId) {
    for (;;) {
      const answer = await this.call('get_request', { request_id: requestId });
      if (answer.poll_after_ms === null) return answer;
      await after(answer.poll_after_ms);
    }
  }

  #call(tool, args) {
    const session = this.#sessionToken ? { session_token: this.#sessionToken } : {};
    return this.#order({ do: 'call', tool, arguments: { ...session, ...args } });
  }

  #order(order) {
    this.#child.write(`${JSON.stringify(order)}\n`);
    return this.#answer();
  }

  async #answer() {
    const answer = JSON.parse(await this.#child.line());
    checkAgent(answer, 'an answer');
    if (answer.failed) throw Object.assign(new Error(answer.failed), { status: answer.http_status });
    return answer;
  }
}
