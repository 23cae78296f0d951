import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { onTestFinished, test as plainTest, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type AgentLink, createAgentLink } from '../../src/agent-host/link/agent-link.ts';
import { LINK_PATH } from '../../src/contract/link.ts';
import { LOCAL } from '../../src/contract/machine-rules.ts';
import type { HttpLimits } from '../../src/http/limits.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createIds } from '../../src/services/context.ts';
import { createServices, type ServiceRoot } from '../../src/services/wiring.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import { helloMessage } from '../agent-host/link/rig.ts';
import { PATIENCE } from '../runner/patience.ts';
import { createFakeClock, type FakeClock } from '../services/fake-clock.ts';
import { localOnly } from '../services/local-only.ts';
import { newDataFolder } from '../store/data-folder.ts';
import type { Address } from './raw-http.ts';
import { knowsNoProgram, servesEverybody } from './serves-everybody.ts';

export type Reply = { status: number; body: Record<string, unknown> };
export type WholeCall = { headers?: Record<string, string>; body?: unknown };

/** Everything of the daemon that a caller meets, with a clock of the test's own and no agent process. */
export type WholeRig = Address & {
  url: string;
  path: string;
  store: Store;
  clock: FakeClock;
  services: ServiceRoot;
  link: AgentLink;
  call(line: string, options?: WholeCall): Promise<Reply>;
  /** The headers of a person who has signed in. */
  signIn(): Promise<Record<string, string>>;
  /** Ends this daemon as a crash would, and starts another on the same data. */
  restart(): Promise<WholeRig>;
};

export const SCREENSHOT = { actionType: 'TakeScreenshot', parameters: {} };

/** With `limits` the rate limits are on. */
type Options = { path?: string; clock?: FakeClock; limits?: Partial<HttpLimits> };

/** A real server over real services on a real database, closed when the test ends. */
export async function startWhole(options: Options = {}): Promise<WholeRig> {
  const path = options.path ?? newDataFolder('handrail-whole-');
  const clock = options.clock ?? createFakeClock();
  const store = createStore({ path, now: clock.nowMs });
  const log = { info: quiet, warn: quiet, error: quiet };
  const link = createAgentLink({ abandon: quiet });
  const context = { store, clock, log, newId: createIds(clock) };
  const self = { version: '0', instanceId: 'test', platform: 'linux' } as const;
  const services = createServices(context, {
    machines: localOnly(link.port),
    restartAgent: link.coming,
    variables: [],
    scripts: () => 'available',
    isShortOfProcesses: () => false,
    ...self,
  });
  link.listen(services.agentListener(LOCAL));
  const { limits = {} } = options;
  const rateLimits = options.limits === undefined ? 'off' : 'on';
  const app = await createHttpServer({
    services,
    agentDoor: link.door,
    peerGate: servesEverybody,
    findProgram: knowsNoProgram,
    rateLimits,
    limits,
    log,
  });
  services.begin();
  const port = await listen(app, 0);
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    link.close();
    await app.close();
    clock.forgetTimers();
    store.close();
  };
  let isClosed = false;
  onTestFinished(async () => {
    if (!isClosed) await close();
    rmSync(path, { recursive: true, force: true });
  });
  const call = (line: string, call: WholeCall = {}) => callWhole(url, line, call);
  return {
    host: '127.0.0.1',
    port,
    url,
    path,
    store,
    clock,
    services,
    link,
    call,
    async signIn() {
      const code = services.createSignInCode();
      const { body } = await call('POST /api/console/session', { body: { code }, headers: { origin: url } });
      return { origin: url, authorization: `Bearer ${String(body.key)}` };
    },
    async restart() {
      isClosed = true;
      await close();
      return startWhole({ path, clock });
    },
  };
}

/** Tests that get such a server of their own, as `rig`. */
export const test = plainTest.extend('rig', () => startWhole());

/** An agent by hand: over a real WebSocket, let in with a real token, it says what a test tells it to say. */
export async function connectAgent(rig: WholeRig) {
  rig.link.process.started();
  const authorization = `Bearer ${rig.link.process.issueToken()}`;
  const socket = new WebSocket(`ws://127.0.0.1:${rig.port}${LINK_PATH}`, { headers: { authorization } });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const say = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const heard: { id?: string; method?: string; params?: { actionId?: string } }[] = [];
  let taken = 0;
  socket.on('message', (text) => heard.push(JSON.parse(String(text))));
  socket.send(JSON.stringify(helloMessage()));
  await vi.waitUntil(() => rig.link.port.status() === 'online', PATIENCE);
  return {
    authorization,
    /** Tells how an attempt ended: the text before the slash is the action, the one after it the attempt. */
    answer: (requestId: string) =>
      say({ id: requestId, result: { details: 'Waited.', effect: 'none', attachments: [] } }),
    /** The actions that it was told to stop. */
    cancelled: () => heard.filter(({ method }) => method === 'action.cancel').map(({ params }) => params?.actionId),
    /** The next attempt it is asked to perform, each once. */
    async asked(): Promise<string> {
      const performs = () => heard.filter(({ method }) => method === 'action.perform');
      await vi.waitUntil(() => performs().length > taken, PATIENCE);
      taken += 1;
      return String(performs()[taken - 1]?.id);
    },
  };
}

async function callWhole(url: string, line: string, { headers, body }: WholeCall): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

function quiet(): void {
  return;
}

/** Registers a device of ann's and answers its id. */
export async function register(rig: WholeRig): Promise<string> {
  const { body } = await rig.call('POST /api/tee/devices/register', {
    headers: { 'x-user-id': 'ann' },
    body: { type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } },
  });
  return String(body.id);
}

/** The record of an action that ann asked for. */
export async function submitted(rig: WholeRig, action: object): Promise<Record<string, unknown>> {
  const body = { targetDeviceId: await register(rig), ...action };
  return (await rig.call('POST /api/tee/actions', { headers: { 'x-user-id': 'ann' }, body })).body;
}

/** A prompt that waits. */
export async function asking(rig: WholeRig, person: Record<string, string>) {
  await submitted(rig, SCREENSHOT);
  const { body } = await rig.call('GET /api/console/confirmations', { headers: person });
  const [prompt] = body.items as { id: string; nonce: string; actionDigest: string }[];
  if (prompt === undefined) throw new Error('nothing waits for the person');
  return prompt;
}
