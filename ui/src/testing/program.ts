// Stands in for the program's calls: notes each one and gives the answer the test chose.

import { vi } from 'vitest';

export type Call = { method: string; path: string; body: unknown };
export type Answer = { status: number; body?: unknown };

export function aProgram(
  answer: (call: Call) => Answer | Promise<Answer> = () => ({ status: 204 }),
) {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const call = {
      method: init.method ?? 'GET',
      path,
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    };
    calls.push(call);
    const { status, body } = await answer(call);
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  });
  return calls;
}

export const refusal = (status: number, message: string, hint: string): Answer => ({
  status,
  body: { error: { code: 'refused', message, hint } },
});
