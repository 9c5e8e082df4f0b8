import { describe, expect, it } from 'vitest';
import { nextShown } from '../prompt/shown';
import { aRequest, aView, NOW } from '../testing/fixtures';
import { waiting, whyClosed } from './requests';

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

  it('says why a request is closed, also when it is gone', () => {
    expect(whyClosed(aRequest({ status: 'expired' }))).toContain('ran out');
    expect(whyClosed(aRequest({ status: 'running' }))).toContain('another window');
    expect(whyClosed(undefined)).toContain('no longer keeps it');
  });
});
