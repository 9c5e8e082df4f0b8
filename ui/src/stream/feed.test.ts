import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { View } from '../model/view';
import { aRequest, aView, NOW } from '../testing/fixtures';
import { HandStream } from '../testing/stream';
import { openFeed, type Phase } from './feed';

describe('the feed', () => {
  let streams: HandStream[];
  let views: View[];
  let phases: Phase[];
  let locked: boolean;

  const start = () =>
    openFeed(
      { onView: (held) => views.push(held.view), onPhase: (phase) => phases.push(phase) },
      {
        open: () => {
          const stream = new HandStream();
          streams.push(stream);
          return stream;
        },
        isLocked: async () => locked,
      },
    );
  const latest = () => streams.at(-1)!;
  const snapshot = (revision: number, view = aView()) =>
    latest().send('snapshot', { revision, now_ms: NOW, view });

  beforeEach(() => {
    vi.useFakeTimers();
    [streams, views, phases, locked] = [[], [], [], false];
  });

  it('is live once the snapshot is there, and follows patches', () => {
    start();
    expect(phases).toEqual(['connecting']);
    snapshot(3);
    latest().send('patch', {
      from_revision: 3,
      revision: 4,
      now_ms: NOW,
      patch: [{ op: 'add', path: '/requests/r1', value: aRequest() }],
    });
    expect(phases).toEqual(['connecting', 'live']);
    expect(views.at(-1)?.requests.r1?.request_id).toBe('r1');
  });

  it('takes a new snapshot after a gap and ignores the old stream', () => {
    start();
    snapshot(3);
    const old = latest();
    old.send('patch', { from_revision: 5, revision: 6, now_ms: NOW, patch: [] });
    expect(old.closed).toBe(true);
    expect(streams).toHaveLength(2);
    old.send('patch', {
      from_revision: 3,
      revision: 4,
      now_ms: NOW,
      patch: [{ op: 'add', path: '/requests/r1', value: aRequest() }],
    });
    expect(views).toHaveLength(1);
    snapshot(6);
    expect(phases.at(-1)).toBe('live');
    expect(views).toHaveLength(2);
  });

  it('does not spin when gaps repeat', () => {
    start();
    for (let i = 0; i < 5; i++)
      latest().send('patch', { from_revision: 9, revision: 10, now_ms: NOW, patch: [] });
    expect(streams.length).toBeLessThanOrEqual(2);
    expect(phases.at(-1)).toBe('lost');
  });

  it('waits longer after each loss, and starts over after a success', async () => {
    start();
    snapshot(1);
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) {
      const before = streams.length;
      latest().fail();
      let waited = 0;
      while (streams.length === before) {
        await vi.advanceTimersByTimeAsync(500);
        waited += 500;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000]);
    snapshot(2);
    latest().fail();
    await vi.advanceTimersByTimeAsync(500);
    expect(streams).toHaveLength(9);
  });

  it('stops and says so when this browser is no longer let in', async () => {
    start();
    locked = true;
    latest().fail();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(phases.at(-1)).toBe('locked');
    expect(streams).toHaveLength(1);
  });

  it('connects at once when asked to', () => {
    const feed = start();
    latest().fail();
    feed.retryNow();
    expect(streams).toHaveLength(2);
  });
});
