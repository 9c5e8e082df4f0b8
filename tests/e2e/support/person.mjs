// A person without a browser: the same HTTP interface that the page uses (docs/interface.md).

import assert from 'node:assert/strict';
import { send } from './http.mjs';
import { AGENTS, hide, LOGS } from './leaks.mjs';

export class Person {
  /** Opens the one-time link. */
  static async enter(uiUrl) {
    const { status, headers } = await send(uiUrl);
    assert.equal(status, 303);
    const person = new Person();
    person.origin = new URL(uiUrl).origin;
    person.cookie = headers['set-cookie'][0].split(';')[0];
    return person;
  }

  async view() {
    return (await this.call('GET', '/api/snapshot')).view;
  }

  addSource(name, path) {
    hide('the name of a source', name, [AGENTS, LOGS]);
    return this.call('POST', '/api/sources', { name, path });
  }

  /** A database on a PostgreSQL server. */
  addServer(name, server) {
    hide('the name of a source', name, [AGENTS, LOGS]);
    return this.call('POST', '/api/sources', { engine: 'postgres', name, ...server });
  }

  async createClient(label) {
    const created = await this.call('POST', '/api/clients', { label });
    hide('the token of a connection', created.token);
    return created;
  }

  share(sourceId, audience, level) {
    return this.call('PUT', '/api/sharing', { source_id: sourceId, audience, level });
  }

  allow(requestId) {
    return this.call('POST', `/api/requests/${requestId}/allow`, {});
  }

  /** A call that must succeed. */
  async call(method, path, body) {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const headers = { Cookie: this.cookie, Origin: this.origin, ...json };
    const { status, text } = await send(this.origin + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.ok(status < 300, `${method} ${path} answered ${status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}
