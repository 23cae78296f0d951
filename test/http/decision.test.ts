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

test.each([
  ['no body, as from a page of before', undefined, 200],
  ['an empty body', {}, 200],
  ['how the prompt was read', { openedToEnd: true, onScreenMs: 0 }, 200],
  ['the longest time', { onScreenMs: 86_400_000 }, 200],
  ['a longer time', { onScreenMs: 86_400_001 }, 400],
  ['a negative time', { onScreenMs: -1 }, 400],
  ['a member that is not documented', { opened: true }, 400],
])('a prompt is reported as shown with %s', async (_about, body, status) => {
  const rig = await startWhole();
  await connectAgent(rig);
  const person = await rig.signIn();
  const { id } = await asking(rig, person);
  const answer = await rig.call(`POST /api/console/confirmations/${id}/shown`, { headers: person, body });
  expect(answer).toMatchObject({ status });
});
