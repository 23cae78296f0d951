import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { ActivityDetail } from '../../src/contract/activity.ts';
import { until } from '../desktop/processes.ts';
import { shareDaemon } from './shared.ts';

const { daemon, person } = await shareDaemon();

test('N10: the pictures of a click are real and for the person; the program that clicked gets 404', async () => {
  const { id } = await daemon.register();
  const profile = { method: 'PUT', body: { profile: 'trusted' } };
  expect((await person.call('/users/ann/profile', profile)).status).toBe(200);
  const body = { targetDeviceId: id, actionType: 'Click', parameters: { elementId: 'window-1/0' } };
  const headers = { prefer: 'wait=10' };
  const { body: action } = await daemon.call<Action>('/api/tee/actions', { userId: 'ann', headers, body });
  expect(action).toMatchObject({ status: 'success' });
  expect(action).not.toHaveProperty('artifacts');
  const evidence = await until('both pictures are kept', async () => {
    const { body: detail } = await person.call<ActivityDetail>(`/activity/${action.actionId}`);
    return detail.evidence?.length === 2 ? detail.evidence : undefined;
  });
  expect(evidence).toMatchObject([
    { role: 'before', mediaType: 'image/jpeg' },
    { role: 'after', mediaType: 'image/jpeg' },
  ]);
  for (const { id: picture, sizeBytes } of evidence) {
    const asPerson = await fetch(`${daemon.base}/api/console/artifacts/${picture}`, { headers: person.headers });
    expect([asPerson.status, (await asPerson.arrayBuffer()).byteLength]).toEqual([200, sizeBytes]);
    const path = `/api/tee/artifacts/${picture}`;
    expect((await daemon.call(path, { userId: 'ann' })).status).toBe(404);
    expect((await daemon.call(path, { userId: 'ann', method: 'DELETE' })).status).toBe(404);
  }
});
