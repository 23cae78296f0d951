import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLinkClient, type LinkClient } from '../../agent/link-client.ts';
import { UpgradeRefused } from '../../agent/open-web-socket.ts';
import type { ResultMessage } from '../../agent/result-message.ts';
import type { HelloParams, HelloVerdict } from '../../src/contract/link.ts';
import {
  createLinkedStreams,
  createLinkedTransports,
  type PausableTransport,
} from '../agent-host/link/linked-transports.ts';
import { PATIENCE } from '../runner/patience.ts';

const ACTION = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const KEY = { actionId: ACTION, attempt: 1 };
const PERFORM = {
  ...KEY,
  actionType: 'Wait',
  parameters: { durationMs: 0 },
  capabilities: {},
  effectClass: 'pure',
  deadlineMs: 1_000,
  digest: 'a'.repeat(64),
};

describe.each([
  ['memory', createLinkedTransports],
  ['byte streams', createLinkedStreams],
])('the agent end of the link over %s', (_medium, createEnds) => {
  test('rule 1: the first thing it says is a hello that names what it holds', async () => {
    const rig = createRig({ createEnds, inflight: [{ ...KEY, phase: 'performing' }] });
    rig.client.answered({ ...KEY, attempt: 2 }, answer());
    const daemon = await rig.connect();
    expect(daemon.heard).toEqual([
      {
        jsonrpc: '2.0',
        id: 'hello',
        method: 'agent.hello',
        params: {
          ...INTRODUCTION,
          inflight: [{ ...KEY, phase: 'performing' }],
          unacknowledged: [{ ...KEY, attempt: 2 }],
        },
      },
    ]);
  });

  test('rule 2: what it is asked to perform is performed', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.say({ jsonrpc: '2.0', id: `${ACTION}/1`, method: 'action.perform', params: PERFORM });
    await until(() => expect(rig.performed).toEqual([PERFORM]));
  });

  test('rule 3: it says what it has accepted, and what has changed', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    const { displays, permissions } = INTRODUCTION;
    rig.client.accepted(KEY);
    rig.client.status({ displays: [...displays], permissions });
    await until(() => expect(daemon.heard).toHaveLength(3));
    expect(daemon.heard.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'action.accepted', params: KEY },
      { jsonrpc: '2.0', method: 'agent.status', params: { displays, permissions } },
    ]);
  });

  test('rule 4: an answer is followed by its binary frames', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    rig.client.answered(KEY, answer([[Buffer.from('head'), Buffer.from('bytes')]]));
    await until(() => expect(daemon.frames.map(String)).toEqual(['headbytes']));
    expect(daemon.heard.at(-1)).toMatchObject({ id: `${ACTION}/1` });
  });

  test('rule 5: an answer is kept until it is acknowledged', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    rig.client.answered(KEY, answer());
    expect(rig.client.answerAgain(KEY)).toBe(true);
    daemon.say({ jsonrpc: '2.0', method: 'action.acknowledge', params: KEY });
    await until(() => expect(rig.client.answerAgain(KEY)).toBe(false));
  });

  test('rule 7: a ping is answered while the link is up, and not sent while it is down', async () => {
    const rig = createRig({ createEnds });
    expect(rig.client.ping()).toBe(false);
    const daemon = await rig.connect();
    expect(rig.client.ping()).toBe(false);
    daemon.greet();
    await until(() => expect(rig.client.ping()).toBe(true));
    const heard = rig.heard();
    rig.client.ping();
    await until(() => expect(rig.heard()).toBeGreaterThan(heard));
  });

  test('rule 6: a cancel is passed on with its reason', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.say({ jsonrpc: '2.0', method: 'action.cancel', params: { ...KEY, reason: 'emergency_stop' } });
    await until(() => expect(rig.cancelled).toEqual(['emergency_stop']));
  });

  test('rule 5: an answer that came while the link was down is reported, and sent when the daemon wants it', async () => {
    const rig = createRig({ createEnds, verdict: 'report' });
    const first = await rig.greeted();
    first.transport.terminate();
    await until(() => expect(rig.tokensWanted()).toBe(1));
    rig.client.answered(KEY, answer());
    const second = await rig.greeted();
    await until(() => expect(second.heard).toHaveLength(2));
    expect(second.heard[0]).toMatchObject({ params: { unacknowledged: [KEY] } });
    expect(second.heard[1]).toMatchObject({ id: `${ACTION}/1` });
  });

  test('rule 5: an answer that came between the hello and its answer is sent after it', async () => {
    const rig = createRig({ createEnds, inflight: [{ ...KEY, phase: 'performing' }], verdict: 'continue' });
    const daemon = await rig.connect();
    rig.client.answered(KEY, answer());
    daemon.greet();
    await until(() => expect(daemon.heard).toHaveLength(2));
    expect(daemon.heard[1]).toMatchObject({ id: `${ACTION}/1` });
  });

  test('rule 5: a kept answer the daemon does not want is forgotten', async () => {
    const rig = createRig({ createEnds, verdict: 'forget' });
    rig.client.answered(KEY, answer());
    await rig.greeted();
    await until(() => expect(rig.client.answerAgain(KEY)).toBe(false));
  });

  test('rule 5: a running attempt the daemon does not want is stopped, and its answer kept to itself', async () => {
    const rig = createRig({ createEnds, inflight: [{ ...KEY, phase: 'performing' }], verdict: 'forget' });
    const daemon = await rig.greeted();
    await until(() => expect(rig.cancelled).toEqual(['requested']));
    rig.client.answered(KEY, answer());
    rig.client.accepted({ ...KEY, attempt: 2 });
    await until(() => expect(daemon.heard).toHaveLength(2));
    expect(daemon.heard[1]).toMatchObject({ method: 'action.accepted' });
  });

  test('rule 6: a running attempt the daemon wants cancelled is stopped, and its answer sent', async () => {
    const rig = createRig({ createEnds, inflight: [{ ...KEY, phase: 'performing' }], verdict: 'cancel' });
    const daemon = await rig.greeted();
    await until(() => expect(rig.cancelled).toEqual(['requested']));
    rig.client.answered(KEY, answer());
    await until(() => expect(daemon.heard).toHaveLength(2));
  });

  test('rule 7: it pings as often as the daemon says', async () => {
    const rig = createRig({ createEnds, heartbeatMs: 10 });
    const daemon = await rig.greeted();
    await until(() => expect(daemon.beats()).toBeGreaterThan(3));
  });

  test('rule 7: a silent daemon is dead after two and a half heartbeats, and a fresh token is asked for', async () => {
    const rig = createRig({ createEnds, heartbeatMs: 10 });
    const daemon = await rig.greeted();
    daemon.transport.pause();
    await until(() => expect(rig.tokensWanted()).toBe(1));
  });

  test.each([4401, 4406, 4409])('rule 7: after %i it does not try again', async (code) => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.transport.close(code, '');
    await until(() => expect(rig.refusals).toEqual([`the link was closed with ${code}`]));
    expect(rig.tokensWanted()).toBe(0);
  });

  test.each([1001, 1006, 4400, 4408, 4429])('rule 7: after %i it asks for a fresh token', async (code) => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.transport.close(code, '');
    await until(() => expect(rig.tokensWanted()).toBe(1));
    expect(rig.refusals).toEqual([]);
  });

  test('rule 7: after 401 it does not try again', async () => {
    const rig = createRig({ createEnds });
    rig.refuseConnections(new UpgradeRefused(401));
    await rig.client.connect('ws://x', 'token');
    expect(rig.refusals).toEqual(['Expected the daemon to upgrade the connection, it answered 401.']);
  });

  test('rule 7: between attempts to connect it waits, longer each time, up to ten seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const rig = createRig({ createEnds, random: () => 1 });
    rig.refuseConnections(new UpgradeRefused(409));
    const pausesMs: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await rig.client.connect('ws://x', 'token');
      const failedAtMs = performance.now();
      await vi.advanceTimersToNextTimerAsync();
      pausesMs.push(Math.round(performance.now() - failedAtMs));
      expect(rig.tokensWanted()).toBe(attempt);
    }
    expect(pausesMs).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  test.each([
    ['bad JSON', '{'],
    ['a batch', '[]'],
    ['an unknown method', '{"jsonrpc":"2.0","method":"agent.upgrade","params":{}}'],
  ])('rule 8: %s of the daemon ends the link with 4400', async (_what, text) => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.transport.sendText(text);
    expect(await daemon.closed).toBe(4400);
    await until(() => expect(rig.tokensWanted()).toBe(1));
  });

  test('rule 4: a binary frame of the daemon ends the link with 1003', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.transport.sendBinary([Buffer.from([1])]);
    expect(await daemon.closed).toBe(1003);
  });

  test('a refusal of the daemon is logged', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    daemon.say({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no such method' } });
    await until(() => expect(rig.logged).toEqual(['the daemon refused a message: -32601 no such method']));
  });

  test('closing says goodbye with 1001 and stays away', async () => {
    const rig = createRig({ createEnds });
    const daemon = await rig.greeted();
    await rig.client.close();
    expect(await daemon.closed).toBe(1001);
    await rig.client.connect('ws://x', 'token');
    expect(rig.tokensWanted()).toBe(0);
  });

  test('a token that comes while a connection stands is not used', async () => {
    const rig = createRig({ createEnds });
    await rig.greeted();
    await rig.client.connect('ws://x', 'token');
    expect(rig.connections()).toBe(1);
  });
});

const INTRODUCTION = {
  protocol: 1,
  agentVersion: '0.1.0',
  bootId: 'boot',
  pid: 1,
  platform: 'fake',
  hostname: 'desk',
  displays: [],
  permissions: { screenRecording: 'granted', accessibility: 'granted', automation: 'granted' },
  actionTypes: ['Wait'],
} as const;

/** The daemon's end, in the hands of the test. */
type PuppetDaemon = {
  transport: PausableTransport;
  heard: { id?: string; params?: { inflight: object[]; unacknowledged: object[] } }[];
  frames: Uint8Array[];
  beats(): number;
  closed: Promise<number>;
  say(message: object): void;
  greet(): void;
};

type RigOptions = {
  createEnds: typeof createLinkedTransports;
  inflight?: HelloParams['inflight'];
  /** For everything the hello names. */
  verdict?: HelloVerdict['verdict'];
  heartbeatMs?: number;
  random?: () => number;
};

function createRig({
  inflight = [],
  verdict = 'continue',
  heartbeatMs = 10_000,
  random = () => 0,
  createEnds,
}: RigOptions) {
  const performed: object[] = [];
  const cancelled: string[] = [];
  const refusals: string[] = [];
  const logged: string[] = [];
  const daemons: PuppetDaemon[] = [];
  let tokensWanted = 0;
  let heard = 0;
  let greetings = 0;
  let obstacle: Error | null = null;
  const client: LinkClient = createLinkClient({
    async open() {
      if (obstacle !== null) throw obstacle;
      const [near, far] = createEnds();
      daemons.push(puppetDaemon(far, { verdict, heartbeatMs }));
      return near;
    },
    introduce: async () => ({ ...INTRODUCTION, displays: [], actionTypes: ['Wait'] }),
    inflight: () => inflight,
    perform: (params) => performed.push(params),
    cancel: (_key, reason) => cancelled.push(reason),
    heard() {
      heard += 1;
    },
    greeted() {
      greetings += 1;
    },
    wantToken() {
      tokensWanted += 1;
    },
    refused: (reason) => refusals.push(reason),
    log: (line) => logged.push(line),
    random,
  });
  onTestFinished(() => client.close());

  async function connect(): Promise<PuppetDaemon> {
    await client.connect('ws://daemon', 'token');
    const daemon = daemons.at(-1);
    if (daemon === undefined) throw new Error('there is no connection');
    await until(() => expect(daemon.heard).toHaveLength(1));
    return daemon;
  }

  return {
    client,
    performed,
    cancelled,
    refusals,
    logged,
    tokensWanted: () => tokensWanted,
    heard: () => heard,
    connections: () => daemons.length,
    refuseConnections(error: Error) {
      obstacle = error;
    },
    connect,
    async greeted() {
      const daemon = await connect();
      const before = greetings;
      daemon.greet();
      await until(() => expect(greetings).toBe(before + 1));
      return daemon;
    },
  };
}

function puppetDaemon(
  transport: PausableTransport,
  { verdict, heartbeatMs }: { verdict: HelloVerdict['verdict']; heartbeatMs: number },
): PuppetDaemon {
  const heard: PuppetDaemon['heard'] = [];
  const frames: Uint8Array[] = [];
  let beats = 0;
  const closed = new Promise<number>((resolve) => {
    transport.listen({
      text: (text) => heard.push(JSON.parse(text)),
      binary: (frame) => frames.push(frame),
      heartbeat() {
        beats += 1;
      },
      closed: resolve,
    });
  });
  const say = (message: object) => transport.sendText(JSON.stringify(message));
  return {
    transport,
    heard,
    frames,
    beats: () => beats,
    closed,
    say,
    greet() {
      const { inflight = [], unacknowledged = [] } = heard[0]?.params ?? {};
      const verdicts = [...inflight, ...unacknowledged].map((held) => ({ ...held, phase: undefined, verdict }));
      const result = { protocol: 1, sessionId: 'session', heartbeatMs, maxFrameBytes: 2_097_152, verdicts };
      say({ jsonrpc: '2.0', id: 'hello', result });
    },
  };
}

function answer(frames: ResultMessage['frames'] = []): ResultMessage {
  return { text: JSON.stringify({ jsonrpc: '2.0', id: `${ACTION}/1`, result: {} }), frames };
}

function until(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { ...PATIENCE, interval: 1 });
}
