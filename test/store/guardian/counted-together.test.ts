import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import type { Store } from '../../../src/store/store.ts';
import { action, device, open } from '../rig.ts';

const EVER = { fromMs: 0, toMs: 60_000 };

/** Stores an action with its event in a transaction of its own. */
function request(store: Store, number: number): void {
  const id = `act_${String(number).padStart(3, '0')}`;
  const atMs = 1_000 + number;
  store.write('relaxed', () => {
    store.actions.insert(action({ id, createdAtMs: atMs }));
    const metadata = { type: 'Wait', risk: 'low', verdict: 'allow', digest: id, by: 'profile' } as const;
    store.journal.append(atMs, {
      kind: 'action.requested',
      userId: 'ann',
      deviceId: 'dev_1',
      actionId: id,
      metadata: { ...metadata, effectClass: 'pure', irreversible: false, status: 'queued', target: null },
    });
  });
}

function opened(): Store {
  const store = open();
  store.write('relaxed', () => store.devices.insert(device()));
  return store;
}

const counted = (store: Store) => store.recording.recorded(EVER, 60_000).rollup.counters.requested;

test('a reader of the counts sees every event, although events are counted many at a time', () => {
  const store = opened();
  for (let number = 1; number <= 150; number += 1) {
    request(store, number);
    if (number % 7 === 0) expect(counted(store)).toBe(number);
  }
  expect(counted(store)).toBe(150);
});

test('a transaction that is rolled back takes none of the events before it along, and none of its own stays', () => {
  const store = opened();
  for (let number = 1; number <= 100; number += 1) {
    request(store, number);
    if (number % 9 !== 0) continue;
    const fail = () =>
      store.write('relaxed', () => {
        store.journal.append(1_000 + number, { kind: 'daemon.paused' });
        throw new Error('on purpose');
      });
    expect(fail).toThrow('on purpose');
  }
  expect(counted(store)).toBe(100);
  expect(store.recording.recorded(EVER, 60_000).rollup.counters.emergencyStopped).toBe(0);
});

test('a daemon that was closed has stored every event', () => {
  const store = opened();
  for (let number = 1; number <= 70; number += 1) request(store, number);
  const { path } = store;
  store.close();
  expect(counted(open({ path }))).toBe(70);
});

test('ids that anybody can claim are counted together, and events that move no counter are not counted', () => {
  const store = opened();
  for (let number = 1; number <= 30; number += 1) {
    store.write('relaxed', () => {
      const refused = { code: 'user_key_invalid', count: 1, from: `user-${number}` } as const;
      store.journal.append(2_000, { kind: 'request.refused', userId: `user-${number}`, metadata: refused });
      store.journal.append(2_000, { kind: 'requester.resumed', userId: `other-${number}` });
    });
  }
  expect(store.recording.recorded(EVER, 60_000).rollup.counters.userKeyRefused).toBe(30);
  const database = new Database(dataDirectoryAt(store.path).database, { readonly: true });
  expect(database.prepare('SELECT unit, user_id FROM guardian_counts').raw().all()).toEqual([['minute', '']]);
  database.close();
});
