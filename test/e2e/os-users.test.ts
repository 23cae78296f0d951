import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPeerGate } from '../../src/peers/gate.ts';
import { createLinuxPeers } from '../../src/peers/linux-peers.ts';
import { upgradeText } from '../http/attacks/agent-socket-attacks.ts';
import { describeScreen, expectRefused, expectServed, get, post } from '../http/attacks/target.ts';
import { NOBODY, sendAndHangUpAs, sendAs, shellAs } from '../http/other-os-user.ts';
import { sendRaw } from '../http/raw-http.ts';
import { startRig } from '../http/rig.ts';
import { skipAllWithout, skipWithout } from '../runner/skip-without.ts';
import { startDaemonProcess } from './daemon.ts';
import { type DaemonTarget, startDaemonTarget } from './daemon-target.ts';

const REFUSED = { status: 403, code: 'os_user_not_allowed' } as const;
/** Another user, that a test serves. */
const SOMEBODY = 65_533;

describe('U1: another OS user on this machine', () => {
  skipAllWithout('root');
  let target: DaemonTarget;
  beforeAll(async () => {
    target = await startDaemonTarget();
  });
  afterAll(async () => {
    await target.daemon.stop();
    rmSync(target.ledgerFolder, { recursive: true, force: true });
  });

  const refused = (bytes: string, host = '127.0.0.1') =>
    expectRefused(target, bytes, REFUSED, (address, sent) => sendAs(NOBODY, { ...address, host }, sent));

  test('cannot act under an id, and the owner of the daemon can', async () => {
    const body = await describeScreen(target);
    await refused(post(target, '/api/tee/actions', { userId: 'ann', body }));
    await expectServed(target, { body });
  });

  test('cannot act with a socket of IPv6 either', async () => {
    const body = await describeScreen(target);
    await refused(post(target, '/api/tee/actions', { userId: 'ann', body }), '::ffff:127.0.0.1');
  });

  test.each(['/api/tee/devices', '/api/tee/actions', '/api/guardian/dashboard', '/openapi.json'])(
    'cannot read %s',
    async (path) => {
      await refused(get(target, path, { userId: 'ann' }));
      expect(await sendRaw(target, get(target, path, { userId: 'ann' }))).toMatchObject({ status: 200 });
    },
  );

  test.each(['/', '/metrics', '/login', '/docs'])('is not shown %s', async (path) => {
    expect(await sendAs(NOBODY, target, get(target, path))).toMatchObject({ status: 403 });
  });

  test('cannot sign in with the right code, which stays good for the person', async () => {
    const body = JSON.stringify({ code: target.daemon.signInCode });
    const headers = [`Origin: ${target.daemon.base}`];
    await refused(post(target, '/api/console/session', { body, headers }));
    const { key } = await target.daemon.signIn();
    expect(key).toMatch(/^.{20,}$/);
    await refused(get(target, '/api/console/status', { headers: [`Authorization: Bearer ${key}`] }));
  });

  test('cannot reach the agent socket', async () => {
    const bytes = upgradeText(target, { headers: [`Authorization: Bearer ${'A'.repeat(43)}`] });
    expect(await sendAs(NOBODY, target, bytes)).toMatchObject({ status: 403, closed: true });
    expect(await sendRaw(target, bytes)).toMatchObject({ status: 401 });
  });

  test('causes nothing by sending a request and hanging up before anybody looks', async () => {
    const bytes = post(target, '/api/tee/actions', { userId: 'ann', body: await describeScreen(target) });
    await target.wasExecuted();
    for (let count = 0; count < 20; count += 1) await sendAndHangUpAs(NOBODY, target, bytes);
    expect(await sendRaw(target, get(target, '/health'))).toMatchObject({ status: 200 });
    expect(await target.wasExecuted()).toBe(false);
    await expectServed(target);
  });

  test('may ask whether the daemon lives', async () => {
    const response = await sendAs(NOBODY, target, get(target, '/health', { headers: ['Connection: close'] }));
    expect([response.status, JSON.parse(response.body).service]).toEqual([200, 'handrail']);
  });

  test.each(['ls', 'cat handrail.db', 'cat journal.anchor', 'ls artifacts'])(
    'cannot "%s" in the data directory',
    async (command) => {
      const inside = `cd ${target.daemon.dataDirectory} && ${command}`;
      expect((await shellAs(0, inside)).code).toBe(0);
      expect(await shellAs(NOBODY, inside)).toMatchObject({ code: 1, output: '' });
    },
  );
});

test('U1: the setting serves a user by name, and nobody else', async (context) => {
  skipWithout('root', context);
  const target = await startDaemonTarget({ HANDRAIL_ALLOW_OS_USERS: 'nobody' });
  onTestFinished(target.daemon.stop);
  const body = await describeScreen(target);
  const bytes = post(target, '/api/tee/actions', { userId: 'ann', body, headers: ['Connection: close'] });
  await target.wasExecuted();
  expect(await sendAs(NOBODY, target, bytes)).toMatchObject({ status: 200 });
  expect(await target.wasExecuted()).toBe(true);
  await expectRefused(target, bytes, REFUSED, (address, sent) => sendAs(SOMEBODY, address, sent));
});

test.each([
  ['no-such-user', 'names "no-such-user", and this machine has no such user'],
  ['ann;id', 'should be names or uids of OS users with commas between them, and has "ann;id"'],
])('the setting %s keeps the daemon from starting, and says why', async (users, why) => {
  await expect(startDaemonProcess({ HANDRAIL_ALLOW_OS_USERS: users })).rejects.toThrow(why);
});

test("U1: a daemon that is not root's serves its own user and root, and refuses others", async (context) => {
  skipWithout('root', context);
  const rig = await startRig({
    peerGate: createPeerGate({ find: createLinuxPeers(), served: [SOMEBODY], log: { warn: () => undefined } }),
  });
  const bytes = get(rig, '/api/tee/devices', { userId: 'ann', headers: ['Connection: close'] });
  const statuses = [];
  for (const uid of [SOMEBODY, 0, NOBODY]) statuses.push((await sendAs(uid, rig, bytes)).status);
  expect(statuses).toEqual([200, 200, 403]);
});
