import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type AgentLink, createAgentLink } from '../../../src/agent-host/link/agent-link.ts';
import type { LinkLimits } from '../../../src/agent-host/link/limits.ts';
import { createWebSocketTransport, LINK_SOCKET_OPTIONS } from '../../../src/agent-host/link/web-socket-transport.ts';
import type { HelloVerdict, PerformParams } from '../../../src/contract/link.ts';
import type { Transport } from '../../../src/contract/transport.ts';
import type { AgentListener, AttemptOutcome } from '../../../src/services/agent/port.ts';
import { PATIENCE } from '../../runner/patience.ts';
import { createLinkedStreams, createLinkedTransports, type PausableTransport } from './linked-transports.ts';

export type Medium = 'memory' | 'web socket' | 'byte stream';
export const MEDIA: readonly Medium[] = ['memory', 'web socket', 'byte stream'];

export const ACTION_A = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const ACTION_B = 'act_01BX5ZZKBKACTAV9WEVGEMMVS0';
export const ARTIFACT = 'art_01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const OTHER_ARTIFACT = 'art_01BX5ZZKBKACTAV9WEVGEMMVS0';

/** An agent without manners of its own: it says what a test tells it to say and keeps what it hears. */
export type PuppetAgent = {
  transport: Transport;
  say(message: object): void;
  heard: Record<string, unknown>[];
  beats: () => number;
  /** From now on it neither hears nor says anything, as a stopped process. */
  fallSilent(): void;
  /** It hears again, first what came in the meantime. */
  wake(): void;
  /** The close code, once the link has ended. */
  closed: Promise<number>;
};

export type Rig = {
  link: AgentLink;
  /** What the listener was told, in order: `[event, ...what]`. */
  told: unknown[][];
  abandoned: { retry: boolean }[];
  outcomes: AttemptOutcome[];
  connect(): Promise<PuppetAgent>;
  /** Connects and has the hello answered. */
  greeted(hello?: object): Promise<PuppetAgent>;
  /** The events of one kind. */
  toldOf(event: string): unknown[][];
};

type RigOptions = {
  medium?: Medium;
  limits?: Partial<LinkLimits>;
  verdicts?: AgentListener['online'];
};

export function createRig({ medium = 'memory', limits = {}, verdicts = () => [] }: RigOptions = {}): Rig {
  const told: unknown[][] = [];
  const outcomes: AttemptOutcome[] = [];
  const abandoned: { retry: boolean }[] = [];
  const link = createAgentLink({
    limits,
    abandon: (next) => abandoned.push(next),
    scriptsTested: (reason) => told.push(['scripts tested', reason]),
  });
  link.listen({
    online(hello) {
      told.push(['online', hello.bootId]);
      return verdicts(hello);
    },
    accepted: (key) => told.push(['accepted', key]),
    finished(key, outcome) {
      told.push(['finished', key]);
      outcomes.push(outcome);
    },
    lost: () => told.push(['lost']),
    statusChanged: () => told.push(['status', link.port.status()]),
    violated: ({ kind }) => told.push(['violated', kind]),
  });
  link.process.started();
  onTestFinished(() => link.close());
  const connect = async () => createPuppet(await OPEN[medium](link));
  return {
    link,
    told,
    abandoned,
    outcomes,
    connect,
    async greeted(hello = {}) {
      const agent = await connect();
      agent.say(helloMessage(hello));
      await until(() => expect(agent.heard).not.toEqual([]));
      return agent;
    },
    toldOf: (event) => told.filter(([kind]) => kind === event),
  };
}

/** Waits until the assertion holds, looking often: most waits here are for a few frames on loopback. */
export function until(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { ...PATIENCE, interval: 2 });
}

export function helloMessage(params: object = {}): object {
  return {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'agent.hello',
    params: {
      protocol: 1,
      agentVersion: '0.1.0',
      bootId: 'boot-1',
      pid: 4711,
      platform: 'fake',
      hostname: 'desk',
      displays: [],
      permissions: { screenRecording: 'granted', accessibility: 'granted', automation: 'granted' },
      actionTypes: ['Wait'],
      inflight: [],
      unacknowledged: [],
      ...params,
    },
  };
}

export function performOf(actionId: string, attempt = 1): PerformParams {
  return {
    actionId,
    attempt,
    actionType: 'Wait',
    parameters: { durationMs: 0 },
    capabilities: {},
    effectClass: 'pure',
    deadlineMs: 30_000,
    digest: 'a'.repeat(64),
  };
}

export function acceptedOf(actionId: string, attempt = 1): object {
  return { jsonrpc: '2.0', method: 'action.accepted', params: { actionId, attempt } };
}

export function resultOf(actionId: string, result: object = {}, attempt = 1): object {
  return {
    jsonrpc: '2.0',
    id: `${actionId}/${attempt}`,
    result: { details: 'Waited.', effect: 'none', attachments: [], ...result },
  };
}

export function verdictsOf(verdict: HelloVerdict['verdict']): AgentListener['online'] {
  return ({ inflight, unacknowledged }) =>
    [...inflight, ...unacknowledged].map(({ actionId, attempt }) => ({ actionId, attempt, verdict }));
}

function createPuppet({ transport, pause, resume }: Line): PuppetAgent {
  const heard: Record<string, unknown>[] = [];
  let beats = 0;
  const closed = new Promise<number>((resolve) => {
    transport.listen({
      text: (text) => heard.push(JSON.parse(text)),
      binary: () => undefined,
      heartbeat() {
        beats += 1;
      },
      closed: resolve,
    });
  });
  return {
    transport,
    say: (message) => transport.sendText(JSON.stringify(message)),
    heard,
    beats: () => beats,
    fallSilent: pause,
    wake: resume,
    closed,
  };
}

type Line = { transport: Transport; pause(): void; resume(): void };

const OPEN: Readonly<Record<Medium, (link: AgentLink) => Promise<Line>>> = {
  memory: (link) => openLinked(link, createLinkedTransports()),
  'web socket': openWebSocket,
  'byte stream': (link) => openLinked(link, createLinkedStreams()),
};

async function openLinked(link: AgentLink, [near, far]: [Transport, PausableTransport]): Promise<Line> {
  admit(link);
  link.door.attach(near);
  return { transport: far, pause: far.pause, resume: far.resume };
}

async function openWebSocket(link: AgentLink): Promise<Line> {
  const http = createServer();
  const server = new WebSocketServer({ ...LINK_SOCKET_OPTIONS, server: http });
  server.on('connection', (socket) => {
    admit(link);
    link.door.attach(createWebSocketTransport(socket));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}`, { perMessageDeflate: false, maxPayload: 0 });
  onTestFinished(() => {
    socket.terminate();
    http.close();
  });
  await once(socket, 'open');
  return {
    transport: createWebSocketTransport(socket),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

function admit(link: AgentLink): void {
  const answer = link.door.admit(link.process.issueToken());
  if (answer !== 'ok') throw new Error(`expected the puppet to be let in, got ${answer}`);
}
