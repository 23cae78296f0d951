import fc from 'fast-check';
import { encodeTime } from 'ulid';
import { describe, expect } from 'vitest';
import type { ActionStatus } from '../../../src/contract/action.ts';
import { GROUPINGS, type Grouping } from '../../../src/contract/telemetry.ts';
import type { StoredGroup } from '../../../src/store/guardian/action-groups.ts';
import type { ActionRow } from '../../../src/store/records/actions.ts';
import type { Store } from '../../../src/store/store.ts';
import { action, device, test as it } from '../rig.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Something is asked for, something ends, or what has ended is counted. */
type Happening =
  | { kind: 'asked'; passedMs: number; userId: string; actionType: string; risk: 'low' | 'high' }
  | { kind: 'ended'; which: number; status: 'success' | 'failed' | 'cancelled' }
  | { kind: 'counted' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('asked' as const),
      passedMs: fc.nat(9 * HOUR_MS),
      userId: fc.constantFrom('ann', 'bob'),
      actionType: fc.constantFrom('Wait', 'OpenApp', 'QuitApp'),
      risk: fc.constantFrom('low' as const, 'high' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ended' as const),
      which: fc.nat(100),
      status: fc.constantFrom('success' as const, 'failed' as const, 'cancelled' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'counted' as const }) },
);

const grouping = fc.subarray([...GROUPINGS], { minLength: 1 });

describe('actions by what they have in common', () => {
  it('are as many as a recount of the rows finds, whatever was counted when, over any hours', ({ store }) => {
    store.write('relaxed', () => store.devices.insert(device()));
    let nowMs = Date.UTC(2026, 3, 5, 7, 20);
    const rows: ActionRow[] = [];
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 10, maxLength: 40 }),
        grouping,
        fc.nat(60),
        fc.integer({ min: 1, max: 60 }),
        (happenings, by, back, length) => {
          for (const each of happenings) nowMs = play(store, rows, each, nowMs);
          const toMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS - back * HOUR_MS;
          const span = { fromMs: toMs - length * HOUR_MS, toMs };
          expect(store.actionGroups.inHours(span, by)).toEqual(recount(rows, span, by));
          const late = { fromMs: nowMs - 100_000, toMs: nowMs + 1 };
          expect(store.actionGroups.lately(late, by)).toEqual(recount(rows, late, by));
        },
      ),
      { numRuns: 40 },
    );
    expect(rows.length).toBeGreaterThan(200);
  });

  it('are counted once, however long an action takes to end', ({ store }) => {
    store.write('relaxed', () => store.devices.insert(device()));
    const rows: ActionRow[] = [];
    const asked = { kind: 'asked' as const, passedMs: 1_000, userId: 'ann', actionType: 'Wait', risk: 'low' as const };
    play(store, rows, asked, DAY_MS);
    play(store, rows, asked, DAY_MS);
    play(store, rows, { kind: 'ended', which: 1, status: 'success' }, DAY_MS);
    const span = { fromMs: DAY_MS, toMs: DAY_MS + HOUR_MS };
    const counts = () => store.actionGroups.inHours(span, ['status']);
    const fold = () => store.write('relaxed', store.actionGroups.fold);
    for (let times = 0; times < 3; times += 1) fold();
    expect(counts()).toEqual([
      { status: 'queued', count: 1 },
      { status: 'success', count: 1 },
    ]);
    play(store, rows, { kind: 'ended', which: 0, status: 'success' }, DAY_MS);
    expect(counts()).toEqual([{ status: 'success', count: 2 }]);
    for (let times = 0; times < 3; times += 1) fold();
    expect(counts()).toEqual([{ status: 'success', count: 2 }]);
  });

  it('stay known by days when hours are no longer kept', ({ store }) => {
    store.write('relaxed', () => store.devices.insert(device()));
    const asked = { kind: 'asked' as const, passedMs: 0, userId: 'ann', actionType: 'Wait', risk: 'low' as const };
    const rows: ActionRow[] = [];
    play(store, rows, asked, DAY_MS + 5);
    play(store, rows, { kind: 'ended', which: 0, status: 'failed' }, DAY_MS);
    store.write('relaxed', () => {
      store.actionGroups.fold();
      store.actionGroups.prune(400 * DAY_MS);
    });
    expect(store.actionGroups.inHours({ fromMs: DAY_MS, toMs: 2 * DAY_MS }, ['type'])).toEqual([
      { type: 'Wait', count: 1 },
    ]);
  });
});

/** Answers what time it is after it. */
function play(store: Store, rows: ActionRow[], happening: Happening, nowMs: number): number {
  if (happening.kind === 'counted') {
    store.write('relaxed', store.actionGroups.fold);
    return nowMs;
  }
  if (happening.kind === 'ended') {
    const index = happening.which % Math.max(1, rows.length);
    const row = rows[index];
    if (row !== undefined && row.status === 'queued') end(store, rows, index, happening.status);
    return nowMs;
  }
  const { passedMs, userId, actionType, risk } = happening;
  const createdAtMs = nowMs + passedMs;
  const id = `act_${encodeTime(createdAtMs, 10)}${String(rows.length).padStart(16, '0')}`;
  const row = action({ id, userId, actionType, createdAtMs, risk: { level: risk, reasons: [] } });
  store.write('relaxed', () => store.actions.insert(row));
  rows.push(row);
  return createdAtMs;
}

function end(store: Store, rows: ActionRow[], index: number, status: ActionStatus): void {
  const row = rows[index];
  if (row === undefined) return;
  rows[index] = { ...row, status };
  store.write('relaxed', () => store.actions.update(row, { ...row, status }));
}

function recount(rows: readonly ActionRow[], { fromMs, toMs }: { fromMs: number; toMs: number }, by: Grouping[]) {
  const inside = rows.filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs);
  const all = inside.map((row) => ({
    hour: Math.floor(row.createdAtMs / HOUR_MS) * HOUR_MS,
    user: row.userId,
    type: row.actionType,
    device: row.deviceId,
    risk: row.risk.level,
    status: row.status,
  }));
  const groups = Map.groupBy(all, (facts) => JSON.stringify(by.map((each) => facts[each])));
  const counted = [...groups.values()].map(
    (alike): StoredGroup => ({
      ...Object.fromEntries(by.map((each) => [each, alike[0]?.[each]])),
      count: alike.length,
    }),
  );
  return counted.toSorted((one, other) => other.count - one.count || compare(one, other, by));
}

function compare(one: StoredGroup, other: StoredGroup, by: readonly Grouping[]): number {
  const different = by.find((each) => one[each] !== other[each]);
  return different !== undefined && String(one[different]) > String(other[different]) ? 1 : -1;
}
