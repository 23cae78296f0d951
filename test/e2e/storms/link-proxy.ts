import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { LINK_SOCKET_OPTIONS } from '../../../src/agent-host/link/web-socket-transport.ts';

/** What becomes of a text frame on its way: it is passed on as often as `pass` is called, with whatever it is called with. */
export type Meddling = (text: string, pass: (text: string) => void) => void;

export type LinkProxy = {
  /** Where the agent is to connect in place of the daemon. */
  url(daemonUrl: string): string;
  /** Cuts every connection in the middle, without a farewell. */
  cut(): void;
  /** From now on connections are accepted and cut at once, or let through again. */
  refuse(isRefused: boolean): void;
  /** Frames of both directions but the greeting go through this; by default they are passed on as they are. */
  meddle(meddling: { toDaemon?: Meddling; toAgent?: Meddling }): void;
  /** How often an agent was let through. */
  connections(): number;
  /** The text frames the agent has sent, the greeting left out. */
  fromAgent(): readonly string[];
  /** Says to the daemon, in the agent's name, what it likes. */
  say(text: string): void;
  close(): Promise<void>;
};

type Pair = { agent: WebSocket; daemon: WebSocket };

const untouched: Meddling = (text, pass) => pass(text);

/** Stands between an agent and its daemon, frame by frame. */
export async function startLinkProxy(): Promise<LinkProxy> {
  const server = new WebSocketServer({ ...LINK_SOCKET_OPTIONS, host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const pairs = new Set<Pair>();
  const heard: string[] = [];
  let target = '';
  let isRefused = false;
  let connections = 0;
  let meddling: { toDaemon?: Meddling; toAgent?: Meddling } = {};

  server.on('connection', (agent, request) => {
    if (isRefused) return agent.terminate();
    connections += 1;
    const daemon = connectOn(target, request);
    const pair = { agent, daemon };
    pairs.add(pair);
    forward(agent, daemon, (text, pass) => {
      if (isGreeting(text)) return pass(text);
      heard.push(text);
      (meddling.toDaemon ?? untouched)(text, pass);
    });
    forward(daemon, agent, (text, pass) => {
      if (isGreeting(text)) pass(text);
      else (meddling.toAgent ?? untouched)(text, pass);
    });
    for (const socket of [agent, daemon]) {
      socket.once('close', () => {
        pairs.delete(pair);
        agent.terminate();
        daemon.terminate();
      });
    }
  });

  return {
    url(daemonUrl) {
      target = daemonUrl;
      return `ws://127.0.0.1:${portOf(server)}${new URL(daemonUrl).pathname}`;
    },
    cut() {
      for (const { agent, daemon } of pairs) {
        agent.terminate();
        daemon.terminate();
      }
    },
    refuse(wish) {
      isRefused = wish;
    },
    meddle(wish) {
      meddling = wish;
    },
    connections: () => connections,
    fromAgent: () => heard,
    say(text) {
      for (const { daemon } of pairs) daemon.send(text);
    },
    async close() {
      for (const { agent } of pairs) agent.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

function connectOn(target: string, { headers }: IncomingMessage): WebSocket {
  const daemon = new WebSocket(target, {
    headers: { authorization: headers.authorization ?? '' },
    perMessageDeflate: false,
    maxPayload: 0,
  });
  // A refused upgrade and a cut are both seen as the close that follows.
  daemon.on('error', () => undefined);
  return daemon;
}

/** What comes before the other side is there waits for it. */
function forward(from: WebSocket, to: WebSocket, meddle: Meddling): void {
  const isReady = to.readyState === WebSocket.OPEN ? Promise.resolve() : once(to, 'open').catch(() => undefined);
  from.on('error', () => undefined);
  from.on('message', async (data: RawData, isBinary: boolean) => {
    await isReady;
    const pass = (frame: RawData | string) => {
      if (to.readyState === WebSocket.OPEN) to.send(frame, { binary: isBinary });
    };
    if (isBinary) pass(data);
    else meddle(data.toString(), pass);
  });
}

function isGreeting(text: string): boolean {
  return text.includes('"method":"agent.hello"') || text.includes('"sessionId":');
}

function portOf(server: WebSocketServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return address.port;
}
