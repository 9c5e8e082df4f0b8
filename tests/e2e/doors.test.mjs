// The two doors from outside, byte by byte: who is let in, and that a refusal tells nothing.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bearer, post, send } from './support/http.mjs';
import { Person } from './support/person.mjs';
import { start } from './support/program.mjs';

const KIB = 1024;
const demo = (t) => start(t, ['demo', '--json', '--no-open']);

/** A refusal at the agents' door is a status and nothing else. */
function isBare({ headers, text }) {
  assert.equal(text, '');
  assert.equal(headers['set-cookie'], undefined);
  assert.equal(headers.location, undefined);
  assert.equal(headers['access-control-allow-origin'], undefined);
}

test("the agents' door opens to a valid token and says nothing to anybody else", async (t) => {
  const { mcpUrl, clientToken: token } = await demo(t);
  const right = bearer(token);
  assert.equal((await post(mcpUrl, { headers: right })).status, 200);
  const wrong = `${token.slice(0, -4)}0000`;
  const cases = [
    ['no token', 401, {}],
    ['an empty token', 401, { Authorization: 'Bearer ' }],
    ['a token that is not ours', 401, bearer(wrong)],
    ['another scheme', 401, { Authorization: `Basic ${token}` }],
    ['Origin: null', 403, { ...right, Origin: 'null' }],
    ['an Origin of this computer', 403, { ...right, Origin: new URL(mcpUrl).origin }],
    ['another Host', 403, { ...right, Host: 'evil.example' }],
    ['a Host without the port', 403, { ...right, Host: '127.0.0.1' }],
    ['the name of this computer', 403, { ...right, Host: `localhost:${new URL(mcpUrl).port}` }],
    ['another Host and no token', 403, { Host: 'evil.example' }],
  ];
  for (const [name, status, headers] of cases) {
    const answer = await post(mcpUrl, { headers });
    assert.equal(answer.status, status, name);
    isBare(answer);
  }
});

test('a body above the limit is refused, announced or not', async (t) => {
  const { mcpUrl, clientToken } = await demo(t);
  const headers = bearer(clientToken);
  const message = (padding) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {}, padding });
  const long = message('x'.repeat(300 * KIB));
  const announced = await post(mcpUrl, { headers, body: long });
  assert.equal(announced.status, 413);
  isBare(announced);
  const pieces = long.match(/.{1,16384}/gs);
  const chunked = await post(mcpUrl, { headers, body: pieces });
  assert.equal(chunked.status, 413);
  isBare(chunked);
  const short = message('x'.repeat(200 * KIB));
  assert.notEqual((await post(mcpUrl, { headers, body: short })).status, 413);
});

test("the person's link opens once, and its cookie is out of reach for scripts and other sites", async (t) => {
  const { uiUrl } = await demo(t);
  const first = await send(uiUrl);
  assert.equal(first.status, 303);
  assert.match(first.headers.location, /^\/at\/[0-9a-f]{64}\/$/);
  assert.ok(first.headers['set-cookie'][0].endsWith(`; Path=${first.headers.location}`));
  assert.match(first.headers['set-cookie'][0], /HttpOnly/i);
  assert.match(first.headers['set-cookie'][0], /SameSite=Strict/i);
  const second = await send(uiUrl);
  assert.equal(second.status, 403);
  assert.equal(second.headers['set-cookie'], undefined);
  assert.equal((await send(`${new URL(uiUrl).origin}/open/guess`)).status, 403);
});

test("neither key opens the other door", async (t) => {
  const { uiUrl, mcpUrl, clientToken } = await demo(t);
  const person = await Person.enter(uiUrl);
  const snapshot = (headers) => send(`${person.origin}/api/snapshot`, { headers });
  assert.equal((await snapshot({ Cookie: person.cookie })).status, 200);
  assert.equal((await snapshot({})).status, 401);
  assert.equal((await snapshot(bearer(clientToken))).status, 401);
  assert.equal((await snapshot({ Cookie: `dbeast_person=${clientToken}` })).status, 401);
  const stranger = await post(mcpUrl, { headers: { Cookie: person.cookie } });
  assert.equal(stranger.status, 401);
  isBare(stranger);
  assert.equal((await post(mcpUrl, { headers: bearer(person.cookie.split('=')[1]) })).status, 401);
});

test("the person's door heeds only its own page", async (t) => {
  const { uiUrl } = await demo(t);
  const { origin, cookie } = await Person.enter(uiUrl);
  const stop = (headers, body = '{}') =>
    send(`${origin}/api/stop-all`, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: origin, 'Content-Type': 'application/json', ...headers },
      body,
    });
  assert.equal((await stop({ Origin: 'null' })).status, 403);
  assert.equal((await stop({ Origin: 'http://evil.example' })).status, 403);
  assert.equal((await stop({ Host: 'evil.example' })).status, 403);
  assert.equal((await stop({ 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await stop({ 'Content-Type': 'text/plain' })).status, 415);
  assert.equal((await stop({}, JSON.stringify({ padding: 'x'.repeat(65 * KIB) }))).status, 413);
  assert.equal((await stop({}, '{"unknown":1}')).status, 400);
  assert.equal((await stop({})).status, 204);
  // A call without Origin comes from no page.
  const headers = { Cookie: cookie, 'Content-Type': 'application/json' };
  assert.equal((await send(`${origin}/api/stop-all`, { method: 'POST', headers, body: '{}' })).status, 403);
});
