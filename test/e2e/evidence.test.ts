import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { ActivityDetail } from '../../src/contract/activity.ts';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

let daemon: RunningDaemon;
let person: Record<string, string>;

beforeAll(async () => {
  daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  await until('the agent is online', async () =>
    (await daemon.health()).body.checks.agent === 'online' ? true : undefined,
  );
  const { key } = await daemon.signIn();
  person = { origin: daemon.base, authorization: `Bearer ${key}` };
});

afterAll(() => daemon?.stop());

test('N10: the pictures of a click are real and for the person; the program that clicked gets 404', async () => {
  const { id } = await daemon.register();
  const profile = { method: 'PUT', headers: person, body: { profile: 'trusted' } };
  expect((await daemon.call('/api/console/users/ann/profile', profile)).status).toBe(200);
  const body = { targetDeviceId: id, actionType: 'Click', parameters: { elementId: 'window-1/0' } };
  const headers = { prefer: 'wait=10' };
  const { body: action } = await daemon.call<Action>('/api/tee/actions', { userId: 'ann', headers, body });
  expect(action).toMatchObject({ status: 'success' });
  expect(action).not.toHaveProperty('artifacts');
  const evidence = await until('both pictures are kept', async () => {
    const { body: detail } = await daemon.call<ActivityDetail>(`/api/console/activity/${action.actionId}`, {
      headers: person,
    });
    return detail.evidence?.length === 2 ? detail.evidence : undefined;
  });
  expect(evidence).toMatchObject([
    { role: 'before', mediaType: 'image/jpeg' },
    { role: 'after', mediaType: 'image/jpeg' },
  ]);
  for (const { id: picture, sizeBytes } of evidence) {
    const asPerson = await fetch(`${daemon.base}/api/console/artifacts/${picture}`, { headers: person });
    expect([asPerson.status, (await asPerson.arrayBuffer()).byteLength]).toEqual([200, sizeBytes]);
    const path = `/api/tee/artifacts/${picture}`;
    expect((await daemon.call(path, { userId: 'ann' })).status).toBe(404);
    expect((await daemon.call(path, { userId: 'ann', method: 'DELETE' })).status).toBe(404);
  }
});
