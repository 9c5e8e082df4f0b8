import { describe, expect, it } from 'vitest';
import { aRequest, aSource, aView, NOW } from '../testing/fixtures';
import { advance, GAP, type Patch } from './revision';

const patch = (change: Partial<Patch>): Patch => ({
  from_revision: 7,
  revision: 8,
  now_ms: NOW,
  patch: [],
  ...change,
});

describe('advance', () => {
  const held = { revision: 7, view: aView({ sources: [aSource()], requests: [aRequest()] }) };

  it('applies several changes of one patch and keeps the old view as it was', () => {
    const next = advance(
      held,
      patch({
        patch: [
          { op: 'replace', path: '/requests/r1/status', value: 'running' },
          { op: 'add', path: '/sources/shop/shared/all_agents', value: 'ask' },
          { op: 'remove', path: '/requests/r1/session_label' },
        ],
      }),
    );
    expect(next).not.toBe(GAP);
    if (next === GAP) return;
    expect(next.revision).toBe(8);
    expect(next.view.requests.r1?.status).toBe('running');
    expect(next.view.sources.shop?.shared).toEqual({ all_agents: 'ask' });
    expect(held.view.requests.r1?.status).toBe('pending');
  });

  it('shares what did not change', () => {
    const next = advance(held, patch({ patch: [{ op: 'remove', path: '/requests/r1' }] }));
    expect(next !== GAP && next.view.sources).toBe(held.view.sources);
  });

  it('reads escaped names in a path', () => {
    const view = aView({ sources: [aSource({ source_id: 'a/b~c' })] });
    const next = advance(
      { revision: 7, view },
      patch({ patch: [{ op: 'replace', path: '/sources/a~1b~0c/name', value: 'New' }] }),
    );
    expect(next !== GAP && next.view.sources['a/b~c']?.name).toBe('New');
  });

  it('is a gap when the patch starts at another revision', () => {
    expect(advance(held, patch({ from_revision: 6 }))).toBe(GAP);
    expect(advance(held, patch({ from_revision: 9, revision: 10 }))).toBe(GAP);
    expect(advance(null, patch({}))).toBe(GAP);
  });

  it('is a gap, and nothing is half applied, when a change does not fit', () => {
    const next = advance(
      held,
      patch({
        patch: [
          { op: 'replace', path: '/requests/r1/status', value: 'running' },
          { op: 'remove', path: '/requests/unknown' },
        ],
      }),
    );
    expect(next).toBe(GAP);
    expect(held.view.requests.r1?.status).toBe('pending');
  });
});
