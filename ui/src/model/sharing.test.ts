import { describe, expect, it } from 'vitest';
import { aClient, aRequest, aSource, aView } from '../testing/fixtures';
import { effective, endedByNarrowing, isNarrowing, reach, usersOf } from './sharing';
import { ALL_AGENTS, type Level, type LevelChoice } from './view';

const source = (own: Level | null, all: Level | null) =>
  aSource({ shared: { ...(own && { c1: own }), ...(all && { [ALL_AGENTS]: all }) } });

describe('sharing', () => {
  it.each<[Level | null, Level | null, LevelChoice]>([
    [null, null, 'none'],
    ['ask', null, 'ask'],
    [null, 'read', 'read'],
    ['ask', 'read', 'read'],
    ['read', 'ask', 'read'],
    ['ask', 'ask', 'ask'],
  ])('own %s and All Agents %s make %s', (own, all, union) => {
    expect(effective(source(own, all), 'c1')).toBe(union);
  });

  it('calls every lower level narrowing, also where All Agents still applies', () => {
    expect(isNarrowing(source('read', 'read'), 'c1', 'ask')).toBe(true);
    expect(isNarrowing(source('ask', 'read'), 'c1', 'none')).toBe(true);
    expect(isNarrowing(source('ask', null), 'c1', 'ask')).toBe(false);
    expect(isNarrowing(source(null, null), ALL_AGENTS, 'read')).toBe(false);
  });

  it('counts the requests that narrowing ends: of that audience, on that source, still open', () => {
    const view = aView({
      clients: [aClient(), aClient({ client_id: 'c2', label: 'Other' })],
      requests: [
        aRequest({ request_id: 'a' }),
        aRequest({ request_id: 'b', status: 'running' }),
        aRequest({ request_id: 'c', status: 'completed' }),
        aRequest({ request_id: 'd', status: 'denied' }),
        aRequest({ request_id: 'e', client_id: 'c2' }),
        aRequest({ request_id: 'f', source_id: 'other' }),
      ],
    });
    expect(endedByNarrowing(view, 'shop', 'c1')).toBe(3);
    expect(endedByNarrowing(view, 'shop', ALL_AGENTS)).toBe(4);
    expect(reach(view, ALL_AGENTS)).toHaveLength(2);
    expect(reach(view, 'c2').map((client) => client.label)).toEqual(['Other']);
    expect(usersOf(view, source('ask', null))).toBe(1);
  });
});
