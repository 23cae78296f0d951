import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentAdmissionAttacks, agentSocketAttacks } from './attacks/agent-socket-attacks.ts';
import { openFakeTarget } from './attacks/fake-target.ts';
import { identityAttacks } from './attacks/identity-attacks.ts';
import { messageAttacks, slownessAttacks } from './attacks/message-attacks.ts';
import { perimeterAttacks } from './attacks/perimeter-attacks.ts';
import { expectRefused, get } from './attacks/target.ts';

type Opened = Awaited<ReturnType<typeof openFakeTarget>>;

let opened: Opened;
/** A server with short timeouts of its own: on a busy machine they end requests that are not slow on purpose. */
let impatient: Opened;

beforeAll(async () => {
  opened = await openFakeTarget();
  impatient = await openFakeTarget({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
});
afterAll(async () => {
  await opened.rig.app.close();
  await impatient.rig.app.close();
});

const target = () => opened.target;

perimeterAttacks(target);
messageAttacks(target);
slownessAttacks(() => impatient.target);
identityAttacks(target);
agentSocketAttacks(target, () => opened.rig.door.token);
agentAdmissionAttacks(target, () => opened.rig.door.token);

test('H13: a handler that throws says nothing of why', async () => {
  opened.rig.services.failNextHealth(new Error('/var/lib/secret at node_modules'));
  const response = await expectRefused(target(), get(target(), '/health'), { status: 500, code: 'internal_error' });
  expect(response.text).not.toContain('secret');
});

test('after all of this, no connection is left and nothing but refusals was logged', async () => {
  const connectionsOf = ({ rig }: Opened) =>
    new Promise((resolve, reject) => {
      rig.app.server.getConnections((error, connections) => (error ? reject(error) : resolve(connections)));
    });
  await expect.poll(() => Promise.all([opened, impatient].map(connectionsOf))).toEqual([0, 0]);
  expect([opened.rig.logged.length, impatient.rig.logged.length]).toEqual([1, 0]);
});
