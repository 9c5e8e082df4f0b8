import { describe, expect, it } from 'vitest';
import { nextShown } from '../prompt/shown';
import { aRequest, aView, NOW } from '../testing/fixtures';
import { running, waiting, waitsForSlot, whyClosed } from './requests';

const old = aRequest({ request_id: 'old', submitted_at_ms: NOW - 10 });
const young = aRequest({ request_id: 'young' });

describe('the queue', () => {
  it('has what needs a decision, oldest first, without what was decided here', () => {
    const done = aRequest({ request_id: 'done', status: 'running', needs_decision: false });
    const view = aView({ requests: [young, done, old] });
    expect(waiting(view).map((request) => request.request_id)).toEqual(['old', 'young']);
    expect(waiting(view, new Set(['old'])).map((request) => request.request_id)).toEqual(['young']);
  });

  it('never swaps the request on the screen for another one', () => {
    expect(nextShown(null, [old, young], new Set())).toBe(old);
    expect(nextShown(young, [old, young], new Set())).toBe(young);
    expect(nextShown(old, [young], new Set())).toBe(old);
    expect(nextShown(old, [young], new Set(['old']))).toBe(young);
    expect(nextShown(old, [], new Set(['old']))).toBe(null);
  });

  it('keeps what was allowed and has no slot yet apart, where it can be taken back', () => {
    const queued = aRequest({ request_id: 'queued', needs_decision: false, authorised_by: 'once' });
    const busy = aRequest({ request_id: 'busy', needs_decision: false, status: 'running' });
    const view = aView({ requests: [young, queued, busy] });
    expect(waiting(view).map((request) => request.request_id)).toEqual(['young']);
    expect(running(view).map((request) => request.request_id)).toEqual(['busy', 'queued']);
    expect(waitsForSlot(queued)).toBe(true);
    expect(waitsForSlot(busy) || waitsForSlot(young)).toBe(false);
  });

  it('never says that nothing was run of what was allowed elsewhere', () => {
    for (const status of ['expired', 'cancelled'] as const) {
      expect(whyClosed(aRequest({ status }))).toContain('Nothing was run');
      const words = whyClosed(aRequest({ status, authorised_by: 'once' }));
      expect(words).toContain('allowed in another window');
      expect(words).not.toContain('Nothing was run');
    }
  });

  it('says why a request is closed, also when it is gone', () => {
    expect(whyClosed(aRequest({ status: 'expired' }))).toContain('ran out');
    expect(whyClosed(aRequest({ status: 'running' }))).toContain('another window');
    expect(whyClosed(undefined)).toContain('no longer keeps it');
  });
});
