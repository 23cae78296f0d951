import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentAdmissionAttacks, agentSocketAttacks } from './attacks/agent-socket-attacks.ts';
import { openFakeTarget } from './attacks/fake-target.ts';
import { identityAttacks } from './attacks/identity-attacks.ts';
import { messageAttacks, slownessAttacks } from './attacks/message-attacks.ts';
import { perimeterAttacks } from './attacks/perimeter-attacks.ts';
import { expectRefused, get } from './attacks/target.ts';

let opened: Awaited<ReturnType<typeof openFakeTarget>>;

beforeAll(async () => {
  opened = await openFakeTarget({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
});
afterAll(() => opened.rig.app.close());

const target = () => opened.target;

perimeterAttacks(target);
messageAttacks(target);
slownessAttacks(target);
identityAttacks(target);
agentSocketAttacks(target, () => opened.rig.door.token);
agentAdmissionAttacks(target, () => opened.rig.door.token);

test('H13: a handler that throws says nothing of why', async () => {
  opened.rig.services.failNextHealth(new Error('/var/lib/secret at node_modules'));
  const response = await expectRefused(target(), get(target(), '/health'), { status: 500, code: 'internal_error' });
  expect(response.text).not.toContain('secret');
});

test('after all of this, no connection is left and nothing but refusals was logged', async () => {
  const count = () =>
    new Promise((resolve, reject) => {
      opened.rig.app.server.getConnections((error, connections) => (error ? reject(error) : resolve(connections)));
    });
  await expect.poll(count).toBe(0);
  expect(opened.rig.logged).toHaveLength(1);
});
