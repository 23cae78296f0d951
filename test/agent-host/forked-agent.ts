import { once } from 'node:events';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { type AgentLink, createAgentLink } from '../../src/agent-host/link/agent-link.ts';
import type { LinkLimits } from '../../src/agent-host/link/limits.ts';
import { createWebSocketTransport, LINK_SOCKET_OPTIONS } from '../../src/agent-host/link/web-socket-transport.ts';
import { agentEnvironment, createForkedAgent } from '../../src/agent-host/process.ts';
import { type AgentSupervisor, createAgentSupervisor } from '../../src/agent-host/supervisor.ts';
import type { HelloParams, ParentMessage } from '../../src/contract/link.ts';
import type { AgentListener, AttemptKey, AttemptOutcome } from '../../src/services/agent/port.ts';
import { BUNDLED_AGENT } from './bundled-agent.ts';

/** A real agent process with the fake driver, joined to a real link over a real WebSocket. */
export type ForkedAgent = {
  link: AgentLink;
  supervisor: AgentSupervisor;
  hellos: HelloParams[];
  accepted: AttemptKey[];
  outcomes: { key: AttemptKey; outcome: AttemptOutcome }[];
  losses(): number;
  violations: string[];
  /** What was logged; the agent's own lines among it. */
  logged: string[];
  /** Everything the supervisor told the process. */
  sent: ParentMessage[];
  /** Cuts the connection, and nothing else. */
  cutLink(): void;
  close(): Promise<void>;
};

export type ForkedAgentOptions = {
  scenario?: object;
  limits?: Partial<LinkLimits>;
  stopLimits?: { termAfterMs: number; killAfterMs: number };
  verdicts?: AgentListener['online'];
};

export async function startForkedAgent(options: ForkedAgentOptions = {}): Promise<ForkedAgent> {
  const { scenario = {}, limits = {}, stopLimits = {}, verdicts = () => [] } = options;
  const seen = { hellos: [], accepted: [], outcomes: [], violations: [], logged: [], sent: [] } as Pick<
    ForkedAgent,
    'hellos' | 'accepted' | 'outcomes' | 'violations' | 'logged' | 'sent'
  >;
  let losses = 0;
  const link = createAgentLink({ limits, abandon: (next) => supervisor.replace(next) });
  link.listen({
    online(hello) {
      seen.hellos.push(hello);
      return verdicts(hello);
    },
    accepted: (key) => seen.accepted.push(key),
    finished: (key, outcome) => seen.outcomes.push({ key, outcome }),
    lost() {
      losses += 1;
    },
    statusChanged: () => undefined,
    violated: ({ kind, detail }) => seen.violations.push(`${kind}: ${detail}`),
  });
  const door = await serveDoor(link);
  const fake = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: JSON.stringify(scenario) };
  const spawn = createForkedAgent(agentEnvironment(process.env, fake), { entry: BUNDLED_AGENT });
  const log = (_fields: object, message: string) => seen.logged.push(message);
  const supervisor = createAgentSupervisor({
    spawn(events) {
      const child = spawn(events);
      return {
        kill: child.kill,
        send(message) {
          seen.sent.push(message);
          child.send(message);
        },
      };
    },
    url: () => door.url,
    link: link.process,
    log: { info: log, warn: log, error: log },
    limits: stopLimits,
  });
  supervisor.start();
  return {
    link,
    supervisor,
    ...seen,
    losses: () => losses,
    cutLink: door.cut,
    async close() {
      await supervisor.stop();
      link.close();
      door.close();
    },
  };
}

async function serveDoor({ door }: AgentLink): Promise<{ url: string; cut(): void; close(): void }> {
  const http = createServer();
  const sockets = new WebSocketServer({ ...LINK_SOCKET_OPTIONS, noServer: true });
  http.on('upgrade', (request, socket, head) => {
    const answer = door.admit(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (answer === 'ok') {
      sockets.handleUpgrade(request, socket, head, (accepted) => door.attach(createWebSocketTransport(accepted)));
    } else {
      const status = answer === 'invalid' ? '401 Unauthorized' : '409 Conflict';
      socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
    }
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  const cut = () => {
    for (const client of sockets.clients) client.terminate();
  };
  return {
    url: `ws://127.0.0.1:${address.port}/api/tee/agent`,
    cut,
    close() {
      cut();
      http.close();
    },
  };
}
