import { expect } from 'vitest';
import { isRefusal } from '../../../src/services/refusal.ts';
import type { ActivityFilter } from '../../../src/store/records/activity.ts';
import { decide } from '../answers.ts';
import { parsedPage } from '../page-items.ts';
import { actionIn, done, type Rig, startServices, test } from '../rig.ts';

const MINUTE_MS = 60_000;

/** Four actions, a minute apart: a wait of ann, a screenshot that is denied, one that repeats it, and a wait of bob. */
async function withHistory() {
  const rig = startServices();
  const { clock } = rig;
  const startMs = clock.nowMs();
  const bobs = rig.deviceOf('bob');
  const step = async (userId: string, body: object) => {
    const { actionId } = actionIn(await rig.submit(body, { userId, waitMs: 0 })).action;
    await clock.advance(MINUTE_MS);
    return actionId;
  };
  const wait = { actionType: 'Wait', parameters: { durationMs: 0 } };
  const ids = {
    wait: await step('ann', wait),
    denied: await step('ann', { actionType: 'TakeScreenshot', parameters: {} }),
  };
  decide(rig, 'deny');
  const region = { x: 0, y: 0, width: 5, height: 5 };
  const repeated = await step('ann', { actionType: 'TakeScreenshot', parameters: { region } });
  const bobWait = await step('bob', { ...wait, targetDeviceId: bobs });
  return { ...rig, startMs, bobs, ids: { ...ids, repeated, bobWait } };
}

async function idsOf({ services }: Pick<Rig, 'services'>, filter: ActivityFilter): Promise<string[]> {
  const { items } = await parsedPage(services.console.activity.list(filter, { limit: 50 }));
  return items.map(({ actionId }) => actionId);
}

test('activity is filtered by requester, type, status, risk, device and time, and by all of them at once', async () => {
  const rig = await withHistory();
  const { ids, startMs, bobs } = rig;
  const all = [ids.bobWait, ids.repeated, ids.denied, ids.wait];
  expect(await idsOf(rig, {})).toEqual(all);
  expect(await idsOf(rig, { userId: 'ann' })).toEqual(all.slice(1));
  expect(await idsOf(rig, { types: ['Wait'] })).toEqual([ids.bobWait, ids.wait]);
  expect(await idsOf(rig, { statuses: ['denied', 'expired'] })).toEqual([ids.repeated, ids.denied]);
  expect(await idsOf(rig, { risks: ['medium'] })).toEqual([ids.repeated, ids.denied]);
  expect(await idsOf(rig, { deviceId: bobs })).toEqual([ids.bobWait]);
  expect(await idsOf(rig, { sinceMs: startMs + MINUTE_MS })).toEqual(all.slice(0, 3));
  expect(await idsOf(rig, { sinceMs: startMs + MINUTE_MS + 1 })).toEqual(all.slice(0, 2));
  expect(await idsOf(rig, { untilMs: startMs + MINUTE_MS })).toEqual(all.slice(2));
  expect(await idsOf(rig, { untilMs: startMs + MINUTE_MS - 1 })).toEqual(all.slice(3));
  expect(await idsOf(rig, { userId: 'ann', risks: ['medium'], untilMs: startMs + MINUTE_MS })).toEqual([ids.denied]);
  expect(await idsOf(rig, { userId: 'nobody' })).toEqual([]);
});

test('pages follow one another by their cursors without a gap', async () => {
  const rig = await withHistory();
  const { console } = rig.services;
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const next = { limit: 1, cursor };
    const page = await parsedPage(console.activity.list({ types: ['Wait'] }, next));
    seen.push(...page.items.map(({ actionId }) => actionId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && seen.length < 10);
  expect(seen).toEqual([rig.ids.bobWait, rig.ids.wait]);
  expect(await console.activity.list({}, { limit: 1, cursor: 'nonsense' })).toMatchObject({ refused: 'bad_request' });
});

test('the detail of a denied action has its arguments, its prompt, its rule and its rows of the journal', async () => {
  const { services, ids } = await withHistory();
  const detail = services.console.activity.detail(ids.denied);
  expect(detail).toMatchObject({
    action: { actionId: ids.denied, status: 'denied' },
    device: { name: 'Desk' },
    sentence: 'Take a screenshot of the main display',
    arguments: '{}',
    rule: expect.any(String),
    prompt: { about: 'action', status: 'denied', decidedAt: expect.any(String) },
  });
  if (isRefusal(detail)) throw new Error(detail.detail);
  const kinds = detail.journal.map(({ kind }) => kind);
  expect(kinds[0]).toBe('action.requested');
  expect(kinds.at(-1)).toBe('action.denied');
  expect(new Set(detail.journal.map(({ actionId }) => actionId))).toEqual(new Set([ids.denied]));
});

test('the detail of an action that ran has its outcome; an action that is not there is not found', async ({ rig }) => {
  const asked = rig.submit({ actionType: 'DescribeScreen' });
  await rig.sent();
  await rig.agent.answer(done());
  const detail = rig.services.console.activity.detail(actionIn(await asked).action.actionId);
  expect(detail).toMatchObject({ action: { status: 'success', details: 'Done.' }, sentence: expect.any(String) });
  expect(detail).not.toHaveProperty('prompt');
  expect(rig.services.console.activity.detail('act_none')).toMatchObject({ refused: 'action_not_found' });
});

test('the person removes a device of any requester, and the journal says that the person did', () => {
  const { services, store, deviceId } = startServices();
  expect(services.console.devices.removeByPerson('dev_none')).toMatchObject({ refused: 'device_not_found' });
  expect(services.console.devices.removeByPerson(deviceId)).toBeUndefined();
  expect(services.console.devices.all()).toEqual([]);
  const rows = store.journal.readAfter(0, 100).filter(({ kind }) => kind === 'device.removed');
  expect(rows).toMatchObject([{ userId: 'ann', deviceId, metadata: { by: 'person' } }]);
});

test('the status says that the screen is locked until it is unlocked', ({ rig: { services } }) => {
  expect(services.console.status().locked).toBe(false);
  services.screen('locked');
  expect(services.console.status().locked).toBe(true);
});

test('one call looks at 50,000 rows at most, a thousand in one read, and says where to go on', async ({ rig }) => {
  const reads: { scan: number; limit: number }[] = [];
  const scan = (_filter: ActivityFilter, { scan, limit }: { scan: number; limit: number }) => {
    reads.push({ scan, limit });
    return { rows: [], goOnBefore: `act_${String(99_999 - reads.length).padStart(26, '0')}` };
  };
  Object.assign(rig.store.activity, { scan });
  const page = await rig.services.console.activity.list({ statuses: ['failed'] }, { limit: 40 });
  expect(page).toMatchObject({ items: [], nextCursor: expect.any(String) });
  expect(reads).toEqual(Array.from({ length: 50 }, () => ({ scan: 1_000, limit: 25 })));
});
