import { expect, it } from 'vitest';
import { device, open } from './rig.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it('counts the days of local time on which standing grants were given', () => {
  const store = open();
  const give = (id: string, createdAtMs: number, scope: 'always' | 'untilQuit' = 'always') =>
    store.grants.insert({
      id,
      userId: 'ann',
      actionType: 'WriteFile',
      deviceId: 'dev_1',
      arguments: JSON.stringify({ id }),
      literal: '',
      scope,
      createdAtMs,
      unusedMs: DAY_MS,
      expiresAtMs: createdAtMs + 90 * DAY_MS,
    });
  store.write('durable', () => {
    store.devices.insert(device());
    store.users.see('ann', 0);
    give('one', 2 * DAY_MS + HOUR_MS);
    give('of the same day', 2 * DAY_MS + 20 * HOUR_MS);
    give('late', 4 * DAY_MS + 23 * HOUR_MS);
    give('early', 5 * DAY_MS + HOUR_MS);
    give('until it quits', 7 * DAY_MS, 'untilQuit');
  });
  const days = (of: { fromMs?: number; toMs?: number; utcOffsetMs?: number }) =>
    store.grants.daysGiven({ fromMs: 0, toMs: 9 * DAY_MS, utcOffsetMs: 0, ...of });
  expect([days({}), days({ utcOffsetMs: 2 * HOUR_MS }), days({ utcOffsetMs: -2 * HOUR_MS })]).toEqual([3, 2, 3]);
  expect([days({ fromMs: 3 * DAY_MS }), days({ toMs: 4 * DAY_MS })]).toEqual([2, 1]);
});
