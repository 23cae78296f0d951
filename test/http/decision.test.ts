import { expect, test } from 'vitest';
import { asking, connectAgent, startWhole } from './whole-rig.ts';

test.each([
  ['deny', 'denied'],
  ['allow', 'running'],
])('%s needs no scope: without one it is about this once', async (decision, status) => {
  const rig = await startWhole();
  await connectAgent(rig);
  const person = await rig.signIn();
  const { id, nonce, actionDigest } = await asking(rig, person);
  const path = `/api/console/confirmations/${id}`;
  await rig.call(`POST ${path}/shown`, { headers: person });
  rig.clock.advance(5_000);
  const body = { decision, nonce, actionDigest };
  expect(await rig.call(`POST ${path}/decision`, { headers: person, body })).toMatchObject({
    status: 200,
    body: { status },
  });
  expect((await rig.call('GET /api/console/grants', { headers: person })).body).toMatchObject({ items: [] });
});
