import { expect, test } from 'vitest';
import { createPeerGate, UnknownOsUser, uidsOf } from '../../src/peers/gate.ts';
import type { Peer } from '../../src/peers/peer.ts';

const connection = { caller: { address: '127.0.0.1', port: 51_000 }, daemon: { address: '127.0.0.1', port: 3_001 } };

function gateFor(peer: Peer, served = [501, 777]) {
  const logged: object[] = [];
  return {
    gate: createPeerGate({ find: async () => peer, served, log: { warn: (facts) => void logged.push(facts) } }),
    logged,
  };
}

test.each([
  ["the daemon's own user", 501],
  ['a user that the setting names', 777],
  ['root', 0],
])('%s is served', async (_who, uid) => {
  const peer: Peer = { kind: 'user', uid, inode: 12 };
  expect(await gateFor(peer).gate(connection)).toEqual({ peer });
});

test.each([500, 502, 65_534])('another user (%i) is refused, and told what the person can do', async (uid) => {
  const { gate, logged } = gateFor({ kind: 'user', uid });
  const { refusal } = await gate(connection);
  expect(refusal).toEqual({
    refused: 'os_user_not_allowed',
    detail: expect.stringContaining(`HANDRAIL_ALLOW_OS_USERS=${uid}`),
  });
  expect(logged).toEqual([]);
});

test('a caller that has gone is refused, and is not counted as an attempt of another user', async () => {
  const { gate } = gateFor({ kind: 'gone' });
  const gone = { refused: 'os_user_not_allowed', detail: expect.any(String), countedAs: 'caller_gone' };
  expect((await gate(connection)).refusal).toEqual(gone);
  const found = gateFor({ kind: 'user', uid: 501 });
  expect((await found.gate(undefined)).refusal).toEqual(gone);
});

test('where the system does not tell, callers are served, and the log says so once', async () => {
  const { gate, logged } = gateFor({ kind: 'unknown', because: 'no /proc' });
  expect((await gate(connection)).refusal).toBeUndefined();
  expect((await gate(connection)).refusal).toBeUndefined();
  expect(logged).toEqual([{ because: 'no /proc' }]);
});

test('users of the setting are known by name and by uid; a name that the machine does not know is an error', async () => {
  expect(await uidsOf(['root', '4242'])).toEqual([0, 4_242]);
  await expect(uidsOf(['no-such-user'])).rejects.toThrow(UnknownOsUser);
});
