import { expect } from 'vitest';
import type { GrantsGiven } from '../../src/guardian/insights/facts.ts';
import { createFacts } from '../../src/services/guardian/facts.ts';
import { inTimeZone } from '../guardian/time-zone.ts';
import { type Rig, startServices, test } from './rig.ts';

const DAY_MS = 86_400_000;

/** Gives a standing grant so long ago. */
function give({ store, clock, deviceId }: Rig, agoMs: number, scope: 'always' | 'untilQuit' = 'always'): void {
  store.write('relaxed', () =>
    store.grants.insert({
      id: `grt_${agoMs}`,
      userId: 'ann',
      actionType: 'OpenApp',
      deviceId,
      arguments: '{}',
      literal: 'ann may OpenApp',
      scope,
      createdAtMs: clock.nowMs() - agoMs,
      unusedMs: 30 * DAY_MS,
      expiresAtMs: clock.nowMs() + DAY_MS,
    }),
  );
}

/** What the rules learn of grants. They look at other facts for everything else. */
function grantsGiven({ store, clock }: Rig): GrantsGiven {
  const nothing = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const parts = {
    windows: { spanOf: () => ({}), recorded: () => ({}) },
    port: { status: () => 'offline' },
    requesters: () => [],
    drift: () => ({ normal: [], lately: [] }),
  };
  const context = { store, clock, log: nothing, newId: (prefix: string) => prefix };
  return createFacts(context, parts as never)().grantsGiven;
}

test('grants of the last two weeks are counted to this very millisecond, and those before by themselves', ({ rig }) => {
  rig.clock.setWallClock(rig.clock.nowMs() + 30 * DAY_MS);
  for (const agoMs of [0, 14 * DAY_MS, 14 * DAY_MS + 1, 16 * DAY_MS + 1]) give(rig, agoMs);
  expect(grantsGiven(rig)).toMatchObject({ lately: 2, before: 2, daysBefore: 16 });
});

test('weeks before the first requester was seen are none to compare with', ({ rig }) => {
  const daysAfter = (days: number) => {
    rig.clock.setWallClock(rig.clock.nowMs() + days * DAY_MS);
    return grantsGiven(rig).daysBefore;
  };
  expect([daysAfter(1), daysAfter(13), daysAfter(6), daysAfter(80)]).toEqual([0, 0, 6, 42]);
});

test('standing grants are given on local days, by the offset that held on each', () => {
  inTimeZone('Europe/Berlin', () => {
    const rig = startServices();
    rig.clock.setWallClock(Date.parse('2026-03-31T10:00Z'));
    const giveAt = (at: string, scope?: 'untilQuit') => give(rig, rig.clock.nowMs() - Date.parse(at), scope);
    giveAt('2026-03-26T23:30Z');
    giveAt('2026-03-27T22:30Z');
    giveAt('2026-03-29T22:30Z');
    giveAt('2026-03-28T10:00Z', 'untilQuit');
    expect(grantsGiven(rig).days).toBe(2);
  });
});
