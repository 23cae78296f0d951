import { expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { action, device, open } from '../rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NONE = { repeated: 0, retried: 0, novel: 0, executedElevated: 0, executedByGrant: 0, uncontrolled: 0 };
const WAIT = { user: 'ann', type: 'Wait', device: 'dev_1' };

test('marks are counted by the minute and by the hour of the request, also of events that come hours later', () => {
  const store = open();
  store.write('relaxed', () => store.devices.insert(device()));
  requested(store, 'act_1', HOUR_MS - MINUTE_MS);
  dispatched(store, 'act_1', { atMs: 3 * HOUR_MS, attempt: 2 });
  const expected = [{ ...WAIT, ...NONE, novel: 1, retried: 1 }];
  expect(store.recording.marked.in('hour', { fromMs: 0, toMs: HOUR_MS })).toEqual(expected);
  expect(store.recording.marked.in('minute', { fromMs: HOUR_MS - MINUTE_MS, toMs: HOUR_MS })).toEqual(expected);
  expect(store.recording.marked.in('hour', { fromMs: HOUR_MS, toMs: 9 * HOUR_MS })).toEqual([]);
});

test('counted anew from the journal, marks are the same', () => {
  const store = open();
  store.write('relaxed', () => store.devices.insert(device()));
  for (const [index, atMs] of [0, 1_000, 2_000, HOUR_MS, HOUR_MS + 1].entries()) {
    requested(store, `act_${index}`, atMs);
    dispatched(store, `act_${index}`, { atMs: atMs + 1, attempt: index });
  }
  const counts = () => store.recording.marked.in('hour', { fromMs: 0, toMs: DAY_MS });
  const before = counts();
  expect(before).toEqual([{ ...WAIT, ...NONE, novel: 1, repeated: 3, retried: 3 }]);
  store.write('relaxed', store.recording.rebuild);
  expect(counts()).toEqual(before);
});

test('minutes are kept for two hours and hours for a year', () => {
  const store = open();
  store.write('relaxed', () => store.devices.insert(device()));
  requested(store, 'act_1', 0);
  const units = () =>
    (['minute', 'hour'] as const).map((unit) => store.recording.marked.in(unit, { fromMs: 0, toMs: DAY_MS }).length);
  const prune = (nowMs: number) => store.write('relaxed', () => store.recording.prune(nowMs));
  prune(2 * HOUR_MS);
  expect(units()).toEqual([1, 1]);
  prune(2 * HOUR_MS + 1);
  expect(units()).toEqual([0, 1]);
  prune(366 * DAY_MS);
  expect(units()).toEqual([0, 1]);
  prune(366 * DAY_MS + 1);
  expect(units()).toEqual([0, 0]);
});

function requested(store: Store, actionId: string, atMs: number): void {
  const metadata = { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', digest: 'd', target: null } as const;
  store.write('relaxed', () => {
    store.actions.insert(action({ id: actionId, createdAtMs: atMs }));
    store.journal.append(atMs, {
      kind: 'action.requested',
      userId: 'ann',
      actionId,
      metadata: { ...metadata, effectClass: 'pure', irreversible: false, status: 'queued' },
    });
  });
}

function dispatched(store: Store, actionId: string, { atMs, attempt }: { atMs: number; attempt: number }): void {
  store.write('relaxed', () =>
    store.journal.append(atMs, { kind: 'action.dispatched', actionId, metadata: { status: 'running', attempt } }),
  );
}
