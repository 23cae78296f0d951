import { describe, expect, test } from 'vitest';
import type { Grouping } from '../../src/contract/telemetry.ts';
import { device } from '../store/rig.ts';
import { type Rig, startServices } from './rig.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOBODY = { kind: 'nobody' } as const;

/** A daemon on which one action was requested, and half an hour of the same day that begins two hours later. */
async function startWithAction() {
  const rig = startServices();
  const requestedAtMs = rig.clock.nowMs();
  await rig.submitted({ parameters: { durationMs: 1 } });
  const span = { fromMs: requestedAtMs + 2 * HOUR_MS, toMs: requestedAtMs + 2.5 * HOUR_MS };
  return { rig, span };
}

function groupsIn({ services }: Rig, request: { fromMs: number; toMs: number }, by: readonly Grouping[]) {
  const { groups } = services.guardian.telemetry(NOBODY, request, by);
  if (groups === undefined) throw new Error('groups were asked for');
  return groups;
}

function breakdownOf({ services }: Rig, request: { fromMs: number; toMs: number }) {
  const asked = { types: ['action_rate'], points: 10, withUsual: false, breakdownOf: 'action_rate' } as const;
  const { breakdown } = services.guardian.consoleSeries(request, asked);
  return breakdown?.groups.map(({ by, items }) => [by, items.map(({ count }) => count)]);
}

// The length of a year that has a leap day.
describe.each([
  [366 * DAY_MS, 'hours', 0],
  [366 * DAY_MS + 1, 'days', 1],
])('%i ms after its beginning, a span is widened to whole %s', (ageMs, _unit, count) => {
  test('in which actions are grouped', async () => {
    const { rig, span } = await startWithAction();
    rig.clock.setWallClock(span.fromMs + ageMs);
    const { items } = groupsIn(rig, span, ['type']);
    expect(items.reduce((sum, each) => sum + each.count, 0)).toBe(count);
  });

  test('in which the actions of a metric are broken down', async () => {
    const { rig, span } = await startWithAction();
    rig.clock.setWallClock(span.fromMs + ageMs);
    const [counts, ...others] = [count === 0 ? [] : [count]];
    expect(others).toEqual([]);
    expect(breakdownOf(rig, span)).toEqual([
      ['requester', counts],
      ['type', counts],
      ['device', counts],
    ]);
  });
});

test.each([
  [6, 6],
  [8, 7],
])('of %i days that are grouped by hour the last %i count', (days, counted) => {
  const rig = startServices();
  const toMs = rig.clock.nowMs();
  const { window } = groupsIn(rig, { fromMs: toMs - days * DAY_MS, toMs }, ['hour']);
  expect(window.length).toBe(counted * DAY_MS);
});

test('the names of the 500 newest devices are told, and the ids of the others', async () => {
  const rig = startServices();
  await rig.submitted({ parameters: { durationMs: 1 } });
  rig.clock.advance(1_000);
  const nameOf = (others: number) => {
    rig.store.write('relaxed', () => {
      const known = rig.store.devices.all(1_000).length;
      for (let count = known; count <= others; count += 1)
        rig.store.devices.insert({ ...device(), id: `dev_x${count}`, name: `Desk ${count}` });
    });
    const toMs = rig.clock.nowMs();
    const asked = { types: ['action_rate'], points: 10, withUsual: false, breakdownOf: 'action_rate' } as const;
    const { breakdown } = rig.services.guardian.consoleSeries({ fromMs: toMs - HOUR_MS, toMs }, asked);
    return breakdown?.groups.find(({ by }) => by === 'device')?.items[0]?.name;
  };
  expect([nameOf(499), nameOf(500)]).toEqual(['Desk', rig.deviceId]);
});
