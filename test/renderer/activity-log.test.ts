import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createActivityReader, type WantedPage } from '../../renderer/src/activity/activity-log.ts';
import { layersOf } from '../../renderer/src/activity/TaskDetail.tsx';
import type { Action } from '../../src/contract/action.ts';
import { newConfirmation } from '../browser/made-up.ts';

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-05-02T12:00:00.000Z') }));
afterEach(() => vi.useRealTimers());

const { action: ANY_ACTION } = newConfirmation({});

/** Ids go by the time of the request, as those of the daemon do. */
function newAction(number: number, status: Action['status'] = 'success', agoMs = 0): Action {
  const createdAt = new Date(Date.now() - agoMs).toISOString();
  return { ...ANY_ACTION, actionId: `act_${String(number).padStart(6, '0')}`, status, createdAt };
}

/** So many that have ended, newest first. */
const newActions = (count: number): Action[] =>
  Array.from({ length: count }, (_, index) => newAction(count - index, 'success', 1_000));

type Filtering = { scan?: number; matches?: (action: Action) => boolean };
const isAny = () => true;

/**
 * A reader of a daemon with these actions, newest first. `matches`: whether an action matches the filters. The daemon looks at
 * `scan` of them in one call.
 */
async function rig(actions: Action[], { scan = Number.POSITIVE_INFINITY, matches = isAny }: Filtering = {}) {
  let changed: () => void = () => undefined;
  const calls: WantedPage[] = [];
  const answer = ({ limit, cursor = '~', since = '' }: WantedPage) => {
    const left = actions.filter(({ actionId, createdAt }) => actionId < cursor && createdAt >= since);
    const found = left.slice(0, scan).filter(matches).slice(0, limit);
    const last = found.length === limit ? found.at(-1) : left[scan - 1];
    const isEnd = last === undefined || last.actionId === left.at(-1)?.actionId;
    return { items: found, nextCursor: isEnd ? null : last.actionId };
  };
  const held = { answers: undefined as Promise<void> | undefined };
  const reader = createActivityReader(async (page) => {
    calls.push(page);
    const value = answer(page);
    if (page.cursor !== undefined) await held.answers;
    return { ok: true, value };
  });
  reader.watch({
    subscribe(listener) {
      changed = listener;
      return () => undefined;
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  return {
    reader,
    calls,
    held,
    /** Something is done at the daemon, and the page is told of it. */
    async change(act: (actions: Action[]) => void) {
      act(actions);
      changed();
      await vi.advanceTimersByTimeAsync(1_000);
    },
    ids: () => reader.get().rows.map(({ actionId }) => actionId),
    matching: () => actions.filter(matches).map(({ actionId }) => actionId),
  };
}

test('older pages follow on demand, until there are no more', async () => {
  const { reader, ids, matching, calls } = await rig(newActions(1_200));
  expect([ids().length, reader.get().state]).toEqual([500, 'more']);
  await reader.loadMore();
  await reader.loadMore();
  expect([ids(), reader.get().state]).toEqual([matching(), 'all']);
  await reader.loadMore();
  expect(calls).toHaveLength(3);
});

test('a page that is empty and has a cursor is followed at once', async () => {
  const { ids } = await rig(newActions(90), { scan: 30, matches: ({ actionId }) => actionId === 'act_000001' });
  expect(ids()).toEqual(['act_000001']);
});

test('new rows come on top, changed ones are replaced, and those further down stay', async () => {
  const { reader, change, ids, matching } = await rig(newActions(2_000));
  await reader.loadMore();
  await change((actions) => {
    actions[1] = newAction(1_999, 'failed');
    actions.unshift(newAction(2_001));
  });
  expect(ids()).toEqual(matching().slice(0, 1_001));
  expect([reader.get().rows[2]?.status, reader.get().state]).toEqual(['failed', 'more']);
});

test('a row that has not ended is replaced when it ends, also where hundreds have come since', async () => {
  const actions = newActions(900);
  actions[700] = newAction(200, 'awaiting_confirmation', 5_000);
  const { reader, change, ids, matching } = await rig(actions);
  await reader.loadMore();
  await change((all) => {
    all[700] = newAction(200, 'denied', 5_000);
  });
  expect(reader.get().rows[700]?.status).toBe('denied');
  expect(ids()).toEqual(matching());
});

test('rows that no longer match the filters go', async () => {
  const { change, ids } = await rig([newAction(3, 'running'), newAction(2, 'running'), newAction(1)], {
    matches: ({ status }) => status === 'running',
  });
  expect(ids()).toEqual(['act_000003', 'act_000002']);
  await change((actions) => {
    actions[0] = newAction(3);
  });
  expect(ids()).toEqual(['act_000002']);
  await change((actions) => {
    actions[1] = newAction(2);
  });
  expect(ids()).toEqual([]);
});

test('with filters that match nothing lately, a change costs a look at the last day, not at all days', async () => {
  const days = 86_400_000;
  const old = Array.from({ length: 500 }, (_, index) => newAction(500 - index, 'failed', (index + 2) * days));
  const { change, ids, calls } = await rig([newAction(501), ...old], { matches: ({ status }) => status === 'failed' });
  await change((actions) => actions.unshift(newAction(502, 'failed')));
  expect(ids()).toHaveLength(501);
  expect(ids()[0]).toBe('act_000502');
  expect(calls.slice(1).map(({ since }) => since)).toEqual(['2026-05-01T12:00:00.000Z']);
});

test('where more has happened than one page holds, the pages between are loaded too, and the rows stay', async () => {
  const { reader, change, ids, matching } = await rig(newActions(1_500));
  await reader.loadMore();
  await change((actions) => {
    for (let number = 1_501; number <= 3_000; number += 1) actions.unshift(newAction(number));
  });
  expect(ids()).toEqual(matching().slice(0, 2_500));
});

test('a log that has missed too much begins anew, and a page that was asked for before is not mixed into it', async () => {
  const { reader, change, ids, matching, held } = await rig(newActions(1_500));
  const { promise, resolve } = Promise.withResolvers<void>();
  held.answers = promise;
  const older = reader.loadMore();
  held.answers = undefined;
  await change((actions) => {
    const missed = Array.from({ length: 23_500 }, (_, index) => newAction(25_000 - index));
    actions.splice(0, 0, ...missed);
  });
  expect(reader.get().state).toBe('more');
  const begun = ids().length;
  resolve();
  await older;
  expect(ids()).toEqual(matching().slice(0, ids().length));
  expect(ids().length).toBeGreaterThan(begun);
});

test.each([
  ['19,520 rows, 40 pages, is caught up with', 19_520, 500 + 19_520],
  ['19,521 rows begins anew', 19_521, 100 + 39 * 500],
])('a log that has missed %s', async (_what, missed, rows) => {
  const { reader, change, ids, matching } = await rig(newActions(1_500));
  reader.setReading(true);
  await change((actions) => {
    actions.unshift(...Array.from({ length: missed }, (_, index) => newAction(1_500 + missed - index)));
  });
  expect(ids()).toEqual(matching().slice(0, rows));
});

test('a log that nobody reads keeps its newest rows only, and has no gap when older ones are loaded again', async () => {
  const { reader, change, ids, matching } = await rig(newActions(3_000));
  let most = 0;
  for (let next = 3_001; next < 9_000; next += 60) {
    await change((actions) => {
      for (let number = next; number < next + 60; number += 1) actions.unshift(newAction(number));
    });
    most = Math.max(most, ids().length);
  }
  expect(most).toBeLessThanOrEqual(2_100);
  expect(ids()).toEqual(matching().slice(0, ids().length));
  for (let pages = 0; pages < 4; pages += 1) await reader.loadMore();
  expect(ids().length).toBeGreaterThan(2_000);
  expect(ids()).toEqual(matching().slice(0, ids().length));
});

test('no row is dropped while the person reads further down, and they are once the person is back at the top', async () => {
  const { reader, change, ids, matching } = await rig(newActions(5_000));
  await change((actions) => actions.unshift(newAction(5_001)));
  reader.setReading(true);
  for (let pages = 0; pages < 8; pages += 1) await reader.loadMore();
  await change((actions) => actions.unshift(newAction(5_002)));
  expect(ids()).toEqual(matching().slice(0, 4_502));
  reader.setReading(false);
  expect(ids().length).toBeLessThanOrEqual(1_000);
  expect([ids(), reader.get().state]).toEqual([matching().slice(0, ids().length), 'more']);
});

test('a log is cut as often as the person comes back to the top', async () => {
  const { reader, change, ids, matching } = await rig(newActions(5_000));
  await change((actions) => actions.unshift(newAction(5_001)));
  const kept: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    reader.setReading(true);
    for (let pages = 0; pages < 5; pages += 1) await reader.loadMore();
    expect(ids().length).toBeGreaterThan(2_000);
    reader.setReading(false);
    kept.push(ids().length);
  }
  expect(Math.max(...kept)).toBeLessThanOrEqual(1_000);
  expect(ids()).toEqual(matching().slice(0, ids().length));
});

test('a row that was requested while the clock was set back is in its place', async () => {
  const { change, ids, matching } = await rig(newActions(300));
  await change((actions) => actions.unshift(newAction(301, 'success', 3_600_000)));
  expect(ids()).toEqual(matching());
});

test('steps of a task stand one layer below the deepest step they depend on', () => {
  const step = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });
  const layers = layersOf([step('d', 'b', 'c'), step('a'), step('b', 'a'), step('c', 'b', 'gone'), step('e')]);
  expect(layers.map((layer) => layer.map(({ id }) => id))).toEqual([['a', 'e'], ['b'], ['c'], ['d']]);
});
