import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ARMING_MS } from '../prompt/arming.svelte';
import { aClient, aRequest, aSource, aView, NOW } from '../testing/fixtures';
import { aProgram } from '../testing/program';
import Approvals from './Approvals.svelte';

const first = aRequest({ request_id: 'first', submitted_at_ms: NOW - 20 });
const second = aRequest({ request_id: 'second', submitted_at_ms: NOW - 10, client_label: 'Other' });
const open = () => screen.queryByTestId('prompt')?.dataset.requestId;
const props = (requests = [first, second]) => ({
  view: aView({ requests, clients: [aClient()], sources: [aSource()] }),
  nowMs: NOW,
  connected: true,
});

describe('the approvals page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('opens the request that waits longest and counts all', () => {
    render(Approvals, props());
    expect(open()).toBe('first');
    expect(screen.getByTestId('queue-words').textContent).toContain('2 requests wait');
  });

  it('keeps the open request when another arrives, even an older one', async () => {
    const { rerender } = render(Approvals, props([second]));
    expect(open()).toBe('second');
    await rerender(props());
    expect(open()).toBe('second');
  });

  it('opens the next one after a decision, unarmed again', async () => {
    const calls = aProgram();
    render(Approvals, props());
    await vi.advanceTimersByTimeAsync(ARMING_MS);
    const place = screen.getByTestId('allow-once');
    await fireEvent.click(place);
    await vi.advanceTimersByTimeAsync(0);
    expect(open()).toBe('second');
    await fireEvent.click(screen.getByTestId('allow-once'));
    expect(calls.map((call) => call.path)).toEqual(['/api/requests/first/allow']);
    expect(document.activeElement).toBe(screen.getByTestId('deny'));
  });

  it('leaves an expired request on the screen until it is closed', async () => {
    const { rerender } = render(Approvals, props());
    await rerender(props([{ ...first, status: 'expired', needs_decision: false }, second]));
    expect(open()).toBe('first');
    expect(screen.queryByTestId('allow-once')).toBeNull();
    expect(screen.getByTestId('prompt-closed').textContent).toContain('ran out');
    await fireEvent.click(screen.getByTestId('prompt-leave'));
    expect(open()).toBe('second');
  });

  it('says that a request is gone when the program forgot it', async () => {
    const { rerender } = render(Approvals, props());
    await rerender(props([]));
    expect(screen.getByTestId('prompt-closed').textContent).toContain('no longer keeps it');
  });

  it('opens another request only when asked to', async () => {
    render(Approvals, props());
    await fireEvent.click(screen.getByRole('button', { name: 'Next request' }));
    expect(open()).toBe('second');
  });

  it('does not take the focus from the header', async () => {
    const outside = document.body.appendChild(document.createElement('button'));
    const { rerender } = render(Approvals, props([]));
    outside.focus();
    await rerender(props());
    expect(open()).toBe('first');
    expect(document.activeElement).toBe(outside);
    outside.remove();
  });

  it.each([
    ['Add a source', aView()],
    ['Create a connection', aView({ sources: [aSource()] })],
    ['Share the source', aView({ sources: [aSource()], clients: [aClient()] })],
  ])('leads to: %s', (step, view) => {
    render(Approvals, { view, nowMs: NOW, connected: true });
    expect(screen.getByTestId('next-step').textContent).toBe(step);
  });
});
