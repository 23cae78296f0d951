import { describe, expect, test, vi } from 'vitest';
import {
  ACTION_A,
  ACTION_B,
  acceptedOf,
  createRig,
  helloMessage,
  MEDIA,
  performOf,
  resultOf,
  until,
  verdictsOf,
} from './rig.ts';

const KEY_A = { actionId: ACTION_A, attempt: 1 };
const UNTOUCHED = { inflight: [], unacknowledged: [] };

describe('tokens', () => {
  test('a token lets one connection in, once', () => {
    const { link } = createRig();
    const token = link.process.issueToken();
    expect(link.door.admit(token)).toBe('ok');
    expect(link.door.admit(token)).toBe('invalid');
  });

  test('a token has 32 random bytes', () => {
    const { link } = createRig();
    const tokens = [link.process.issueToken(), link.process.issueToken()];
    expect(tokens.map((token) => Buffer.from(token, 'base64url').length)).toEqual([32, 32]);
    expect(new Set(tokens).size).toBe(2);
  });

  test.each(['', 'x', 'A'.repeat(43), '\u6f22'.repeat(43)])('the token %j is invalid', (token) => {
    const { link } = createRig();
    link.process.issueToken();
    expect(link.door.admit(token)).toBe('invalid');
  });

  test('no token is valid before one was issued', () => {
    expect(createRig().link.door.admit('')).toBe('invalid');
  });

  test('a new token voids the one before it', () => {
    const { link } = createRig();
    const first = link.process.issueToken();
    const second = link.process.issueToken();
    expect([link.door.admit(first), link.door.admit(second)]).toEqual(['invalid', 'ok']);
  });

  test('the end of the process voids its token', () => {
    const { link } = createRig();
    const token = link.process.issueToken();
    link.process.gone({ restarts: true });
    expect(link.door.admit(token)).toBe('invalid');
  });
});

describe.each(MEDIA)('the life of a link over %s', (medium) => {
  test('rule 7: while the agent is alive, a second one with a valid token is refused and may try it again', async () => {
    const rig = createRig({ medium });
    await rig.greeted();
    const token = rig.link.process.issueToken();
    expect(rig.link.door.admit(token)).toBe('already_connected');
    expect(rig.link.door.admit(token)).toBe('already_connected');
    expect(rig.link.door.admit('wrong')).toBe('invalid');
    expect(rig.link.port.status()).toBe('online');
  });

  test('rule 7: a new connection replaces a silent one, which is closed with 4409', async () => {
    const rig = createRig({ medium, limits: { heartbeatMs: 20, silenceMs: 60_000 }, verdicts: verdictsOf('continue') });
    const silent = await rig.greeted();
    rig.link.port.perform(performOf(ACTION_A));
    silent.fallSilent();
    await until(() => expect(rig.link.door.admit(rig.link.process.issueToken())).toBe('ok'));
    const fresh = await rig.greeted({ inflight: [{ ...KEY_A, phase: 'performing' }] });
    fresh.say(resultOf(ACTION_A));
    await until(() => expect(rig.outcomes).toHaveLength(1));
    expect(rig.toldOf('lost')).toEqual([]);
    silent.wake();
    expect(await silent.closed).toBe(4409);
  });

  test('rule 7: the daemon pings', async () => {
    const rig = createRig({ medium, limits: { heartbeatMs: 10 } });
    const agent = await rig.greeted();
    await until(() => expect(agent.beats()).toBeGreaterThan(2));
  });

  test('rule 7: an agent that answers pings is not dead, however little it says', async () => {
    const rig = createRig({ medium, limits: { heartbeatMs: 10, silenceMs: 200 } });
    const agent = await rig.greeted();
    const startedAtMs = performance.now();
    await until(() => expect(performance.now() - startedAtMs).toBeGreaterThan(450));
    expect(agent.beats()).toBeGreaterThan(2);
    expect(rig.link.port.status()).toBe('online');
  });

  test('rule 7: without a sign of life the link is dead; after the grace the agent is lost and replaced', async () => {
    const rig = createRig({ medium, limits: { heartbeatMs: 10, silenceMs: 40, graceMs: 30 } });
    const agent = await rig.greeted();
    rig.told.length = 0;
    agent.fallSilent();
    await until(() => expect(rig.abandoned).toEqual([{ retry: true }]));
    expect(rig.told).toEqual([['status', 'starting'], ['lost'], ['status', 'starting']]);
  });

  test('a cut link of a living process is not lost when a new hello comes within the grace', async () => {
    const rig = createRig({ medium, verdicts: verdictsOf('continue') });
    const agent = await rig.greeted();
    rig.link.port.perform(performOf(ACTION_A));
    agent.transport.terminate();
    await until(() => expect(rig.link.port.status()).toBe('starting'));
    expect(rig.link.port.agent()).toBeNull();
    const again = await rig.greeted({ inflight: [{ ...KEY_A, phase: 'performing' }] });
    again.say(resultOf(ACTION_A));
    await until(() => expect(rig.outcomes).toMatchObject([{ ok: true }]));
    expect(rig.toldOf('lost')).toEqual([]);
    expect(rig.toldOf('violated')).toEqual([]);
  });

  test.each([
    ['continue', 1],
    ['report', 1],
    ['cancel', 1],
    ['forget', 0],
  ] as const)('rule 5: after the verdict %j on a kept attempt its answer counts %i times', async (verdict, times) => {
    const rig = createRig({ medium, verdicts: verdictsOf(verdict) });
    const agent = await rig.greeted({ ...UNTOUCHED, unacknowledged: [KEY_A] });
    agent.say(resultOf(ACTION_A));
    rig.link.port.perform(performOf(ACTION_B));
    agent.say(resultOf(ACTION_B));
    await until(() => expect(rig.outcomes).toHaveLength(times + 1));
    expect(rig.toldOf('violated')).toHaveLength(1 - times);
  });

  test('rule 6: a cancel that is wanted while the link is cut is passed on with the next hello', async () => {
    const rig = createRig({ medium, verdicts: verdictsOf('continue') });
    const agent = await rig.greeted();
    rig.link.port.perform(performOf(ACTION_A));
    agent.transport.terminate();
    await until(() => expect(rig.link.port.status()).toBe('starting'));
    rig.link.port.cancel(KEY_A, 'requested');
    const again = await rig.greeted({ inflight: [{ ...KEY_A, phase: 'performing' }] });
    await until(() => expect(again.heard).toHaveLength(2));
    expect(again.heard[1]).toMatchObject({ method: 'action.cancel', params: { ...KEY_A, reason: 'requested' } });
  });

  test('an attempt the same process does not name in its new hello never reached it, and failed without effect', async () => {
    const rig = createRig({ medium });
    const agent = await rig.greeted();
    rig.link.port.perform(performOf(ACTION_A));
    agent.transport.terminate();
    await until(() => expect(rig.link.port.status()).toBe('starting'));
    const again = await rig.greeted(UNTOUCHED);
    expect(rig.outcomes).toMatchObject([{ ok: false, code: 'agent_unavailable', sideEffect: 'none' }]);
    again.say(resultOf(ACTION_A));
    await until(() => expect(rig.toldOf('violated')).toEqual([['violated', 'unexpected_result']]));
    expect(rig.outcomes).toHaveLength(1);
  });

  test('a hello of another process means that the one before is lost, with all it held', async () => {
    const rig = createRig({ medium });
    const agent = await rig.greeted({ bootId: 'boot-1' });
    rig.link.port.perform(performOf(ACTION_A));
    agent.transport.terminate();
    await until(() => expect(rig.link.port.status()).toBe('starting'));
    rig.told.length = 0;
    await rig.greeted({ bootId: 'boot-2' });
    expect(rig.told).toEqual([['lost'], ['scripts tested', undefined], ['online', 'boot-2'], ['status', 'online']]);
    expect(rig.outcomes).toEqual([]);
  });

  test('what a dying process said last is heard before it is lost', async () => {
    const rig = createRig({ medium });
    const agent = await rig.greeted();
    rig.link.port.perform(performOf(ACTION_A));
    await until(() => expect(agent.heard).toHaveLength(2));
    rig.told.length = 0;
    agent.say(acceptedOf(ACTION_A));
    agent.say(resultOf(ACTION_A));
    agent.transport.close(1001, 'stopping');
    rig.link.process.gone({ restarts: true });
    await until(() => expect(rig.toldOf('lost')).toHaveLength(1));
    expect(rig.told).toEqual([['accepted', KEY_A], ['finished', KEY_A], ['lost'], ['status', 'starting']]);
    expect(rig.abandoned).toEqual([]);
  });
});

describe('the agent process, as the link sees it', () => {
  test('with no link an attempt fails at once, without effect', async () => {
    const rig = createRig();
    rig.link.port.perform(performOf(ACTION_A));
    expect(rig.outcomes).toEqual([]);
    await until(() => expect(rig.outcomes).toHaveLength(1));
    expect(rig.outcomes[0]).toMatchObject({ ok: false, code: 'agent_unavailable', sideEffect: 'none' });
  });

  test('an ended process is lost at once, even if its link still hangs', async () => {
    const rig = createRig();
    await rig.greeted();
    vi.useFakeTimers();
    rig.link.process.gone({ restarts: true });
    vi.advanceTimersByTime(100);
    vi.useRealTimers();
    expect(rig.told.slice(-2)).toEqual([['lost'], ['status', 'starting']]);
  });

  test('a process that is not started again leaves the device offline', async () => {
    const rig = createRig();
    const agent = await rig.greeted();
    agent.transport.terminate();
    rig.link.process.gone({ restarts: false });
    await until(() => expect(rig.link.port.status()).toBe('offline'));
  });

  test('it is lost once, and not again by the end of a successor that never said hello', async () => {
    const rig = createRig();
    await rig.greeted();
    for (const _process of ['first', 'second']) {
      rig.link.process.gone({ restarts: true });
      rig.link.process.started();
    }
    expect(rig.toldOf('lost')).toHaveLength(1);
  });

  test('a process whose hello does not come within its start time is replaced', async () => {
    const rig = createRig({ limits: { startMs: 20 } });
    await until(() => expect(rig.abandoned).toEqual([{ retry: true }]));
    expect(rig.link.port.status()).toBe('starting');
  });

  test('a closed link lets nobody in and says so to the agent', async () => {
    const rig = createRig();
    const agent = await rig.greeted();
    const token = rig.link.process.issueToken();
    rig.link.close();
    expect(await agent.closed).toBe(1001);
    expect(rig.link.door.admit(token)).toBe('invalid');
    expect(rig.link.port.status()).toBe('offline');
  });

  test('a hello after the end of its link changes nothing', async () => {
    const rig = createRig();
    const agent = await rig.connect();
    rig.link.close();
    agent.say(helloMessage());
    expect(await agent.closed).toBe(1001);
    expect(rig.toldOf('online')).toEqual([]);
  });
});
