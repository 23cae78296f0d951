import { expect } from 'vitest';
import { signIn, startRig } from './rig.ts';
import { connectAgent, startWhole, test, type WholeRig } from './whole-rig.ts';

const RESTART = 'POST /api/console/agent/restart';

const requestedIn = ({ store }: WholeRig) =>
  store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'agent.start_requested').length;

test('the person starts an agent that is offline, which is journaled, and a second time there is nothing to start', async () => {
  const rig = await startWhole();
  const headers = await rig.signIn();
  expect(await rig.call(RESTART, { headers })).toMatchObject({ status: 200, body: { agent: 'starting' } });
  expect(requestedIn(rig)).toBe(1);
  expect(await rig.call(RESTART, { headers })).toMatchObject({
    status: 409,
    body: { code: 'agent_not_offline', agent: 'starting' },
  });
  expect(requestedIn(rig)).toBe(1);
});

test('an agent that is online is left alone', async ({ rig }) => {
  await connectAgent(rig);
  expect(await rig.call(RESTART, { headers: await rig.signIn() })).toMatchObject({
    status: 409,
    body: {
      code: 'agent_not_offline',
      agent: 'online',
      detail: 'The agent is online: there is nothing to start again.',
    },
  });
  expect([rig.link.port.status(), requestedIn(rig)]).toEqual(['online', 0]);
});

test('the refusal is one that is described', async () => {
  const rig = await startRig();
  const headers = await signIn(rig);
  expect(await rig.call(RESTART, { headers })).toMatchObject({ status: 409, body: { agent: 'online' } });
});
