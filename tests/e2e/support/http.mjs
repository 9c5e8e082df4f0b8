// HTTP with nothing added: a test may send any header, also those that `fetch` keeps for itself.

import http from 'node:http';
import { checkAgent } from './leaks.mjs';

/**
 * One call on a connection of its own. A list as `body` is sent in chunks, without Content-Length.
 * Answers `{status, headers, text}`, also when the server answers before it has read everything.
 */
export function send(url, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      response.on('error', reject);
    });
    // After an answer this settles nothing any more.
    request.on('error', reject);
    if (Array.isArray(body)) body.forEach((piece) => request.write(piece));
    request.end(Array.isArray(body) ? undefined : body);
  });
}

/** The headers of a tool call in the era of the handshake. */
const MCP = {
  Accept: 'application/json, text/event-stream',
  'Content-Type': 'application/json',
  'MCP-Protocol-Version': '2025-11-25',
};

/** A JSON-RPC message to the agents' door. */
export async function post(mcpUrl, { headers = {}, method = 'tools/list', params = {}, body } = {}) {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await send(mcpUrl, { method: 'POST', headers: { ...MCP, ...headers }, body: body ?? message });
  checkAgent(answer, `the answer to ${method}`);
  return answer;
}

export const bearer = (token) => ({ Authorization: `Bearer ${token}` });
