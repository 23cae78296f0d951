import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ActivityPage, createActivityReader } from '../../renderer/src/activity/activity-log.ts';
import { layersOf } from '../../renderer/src/activity/layers.ts';
import type { Action } from '../../src/contract/action.ts';
import { newConfirmation } from '../browser/made-up.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function newAction(actionId: string, status: Action['status'] = 'success'): Action {
  const { action } = newConfirmation({});
  if (action === undefined) throw new Error('a prompt for an action has one');
  return { ...action, actionId, status };
}

/** A reader of pages that the test writes, and the change of the feed that makes it look again. */
function rig(...pages: ActivityPage[]) {
  const answers = [...pages];
  let changed: () => void = () => undefined;
  const reader = createActivityReader(async () => {
    const value = answers.shift();
    if (value === undefined) throw new Error('no page is left');
    return { ok: true, value };
  });
  reader.watch({
    subscribe(listener) {
      changed = listener;
      return () => undefined;
    },
  });
  const change = async (page: ActivityPage) => {
    answers.push(page);
    changed();
    await vi.advanceTimersByTimeAsync(1_000);
  };
  const ids = () => reader.get().rows.map(({ actionId }) => actionId);
  return { reader, change, ids };
}

const pageOf = (ids: string[], nextCursor: string | null): ActivityPage => ({
  items: ids.map((id) => newAction(id)),
  nextCursor,
});

test('older pages follow on demand, until there are no more', async () => {
  const { reader, ids } = rig(pageOf(['d', 'c'], 'c'), pageOf(['b', 'a'], null));
  await vi.advanceTimersByTimeAsync(0);
  expect([ids(), reader.get().state]).toEqual([['d', 'c'], 'more']);
  await reader.loadMore();
  expect([ids(), reader.get().state]).toEqual([['d', 'c', 'b', 'a'], 'all']);
  await reader.loadMore();
});

test('a page that is empty and has a cursor is followed at once', async () => {
  const { ids } = rig(pageOf([], 'x'), pageOf([], 'y'), pageOf(['a'], null));
  await vi.advanceTimersByTimeAsync(0);
  expect(ids()).toEqual(['a']);
});

test('new rows come on top, changed ones are replaced, and those further down stay', async () => {
  const { reader, change, ids } = rig(pageOf(['c', 'b'], 'b'), pageOf(['a'], null));
  await vi.advanceTimersByTimeAsync(0);
  await reader.loadMore();
  await change({ items: [newAction('d'), newAction('c', 'failed')], nextCursor: 'c' });
  expect([ids(), reader.get().added]).toEqual([['d', 'c', 'b', 'a'], 1]);
  expect(reader.get().rows[1]?.status).toBe('failed');
});

test('rows that no longer match the filters go', async () => {
  const { change, ids } = rig(pageOf(['b', 'a'], null));
  await vi.advanceTimersByTimeAsync(0);
  await change(pageOf(['a'], null));
  expect(ids()).toEqual(['a']);
});

test('where more has happened than one page holds, the log begins anew', async () => {
  const { reader, change, ids } = rig(pageOf(['a'], null));
  await vi.advanceTimersByTimeAsync(0);
  await change(pageOf(['z', 'y'], 'y'));
  expect([ids(), reader.get().state]).toEqual([['z', 'y'], 'more']);
});

test('steps of a task stand one layer below the deepest step they depend on', () => {
  const step = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });
  const layers = layersOf([step('d', 'b', 'c'), step('a'), step('b', 'a'), step('c', 'b', 'gone'), step('e')]);
  expect(layers.map((layer) => layer.map(({ id }) => id))).toEqual([['a', 'e'], ['b'], ['c'], ['d']]);
});
