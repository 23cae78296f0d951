import { expect, onTestFinished, test as plainTest } from 'vitest';
import type { AgentDoor } from '../../src/agent-host/link/agent-link.ts';
import type { Transport } from '../../src/contract/transport.ts';
import type { App } from '../../src/http/app.ts';
import type { HttpLimits } from '../../src/http/limits.ts';
import { listen } from '../../src/http/listen.ts';
import type { CommandLine } from '../../src/http/routes/command-line.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { PeerGate } from '../../src/peers/gate.ts';
import type { FindProgram } from '../../src/peers/program.ts';
import type { GuardianService } from '../../src/services/guardian/guardian-service.ts';
import { type Conformance, createConformance } from './conformance.ts';
import { createFakeServices, type FakeServices } from './fake-services.ts';
import type { Address } from './raw-http.ts';
import { knowsNoProgram, servesEverybody } from './serves-everybody.ts';

export type Answer = { status: number; headers: Headers; body: unknown };
export type Call = { userId?: string; headers?: Record<string, string>; body?: unknown };

export type Rig = Address & {
  app: App;
  services: FakeServices;
  door: FakeDoor;
  url: string;
  /** What the server logged, as texts. */
  logged: string[];
  /** Calls `GET /path` and the like; a body goes as JSON. */
  call(line: string, options?: Call): Promise<Answer>;
  /** Registers a device for the user and answers with its id. */
  registerDevice(userId: string): Promise<string>;
};

export type RigOptions = {
  guardian?: GuardianService;
  limits?: Partial<HttpLimits>;
  rateLimits?: 'on' | 'off';
  pageFolder?: string;
  peerGate?: PeerGate;
  findProgram?: FindProgram;
  commandLine?: CommandLine;
  ready?: Promise<void>;
};

/** A real server on a free port over services in memory, closed when the test ends. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig(options);
  onTestFinished(() => rig.app.close());
  return rig;
}

/** Tests that get such a server of their own, as `rig`. */
export const test = plainTest.extend('rig', () => startRig());

/** The same, for whoever closes it. */
export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const services = Object.assign(createFakeServices(), options.guardian && { guardian: options.guardian });
  const door = createFakeDoor();
  const logged: string[] = [];
  const note = (...parts: unknown[]) => logged.push(parts.map(String).join(' '));
  const app = await createHttpServer({
    services,
    agentDoor: door,
    peerGate: options.peerGate ?? servesEverybody,
    findProgram: options.findProgram ?? knowsNoProgram,
    rateLimits: options.rateLimits ?? 'off',
    log: { info: note, warn: note, error: note },
    limits: { timeoutCheckMs: 50, ...options.limits },
    commandLine: options.commandLine,
    ready: options.ready,
    pageFolder: options.pageFolder,
  });
  const port = await listen(app, 0);
  const url = `http://127.0.0.1:${port}`;
  const call = async (line: string, what: Call = {}) => {
    const answer = await callJson(url, line, what);
    expect(complaintsAbout(conformanceOf(app), line, answer)).toEqual([]);
    return answer;
  };
  return {
    host: '127.0.0.1',
    port,
    url,
    app,
    services,
    door,
    logged,
    call,
    async registerDevice(userId) {
      const { body } = await call('POST /api/tee/devices/register', { userId, body: REGISTRATION });
      return textIn(body, 'id');
    },
  };
}

export const REGISTRATION = { type: 'linux', name: 'Desk', capabilities: { canOpenApps: true } };

/** The text a record has under a name. */
export function textIn(record: unknown, name: string): string {
  const value = typeof record === 'object' && record !== null ? Reflect.get(record, name) : undefined;
  if (typeof value !== 'string') throw new Error(`no text under ${name} in ${JSON.stringify(record)}`);
  return value;
}

/** Opens a session of the person. Answers the headers of their calls. */
export async function signIn(rig: Rig): Promise<{ origin: string; authorization: string }> {
  const headers = { origin: rig.url };
  const { body } = await rig.call('POST /api/console/session', { headers, body: { code: rig.services.oneUseCode } });
  return { ...headers, authorization: `Bearer ${textIn(body, 'key')}` };
}

let conformance: Conformance | undefined;

/**
 * Every server describes the same routes (`openapi.test.ts` holds that), so a worker makes the description and compiles its schemas once:
 * both take longer than most tests.
 */
function conformanceOf(app: App): Conformance {
  conformance ??= createConformance(app.swagger());
  return conformance;
}

function complaintsAbout(conformance: Conformance, line: string, { status, headers, body }: Answer): string[] {
  const [method = '', path = ''] = line.split(' ');
  return conformance.complaints({ method, path }, { status, contentType: headers.get('content-type') ?? '', body });
}

async function callJson(url: string, line: string, { userId, headers, body }: Call): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(userId !== undefined && { 'x-user-id': userId }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? await response.json() : await response.bytes(),
  };
}

export type FakeDoor = AgentDoor & { readonly token: string; attached: Transport[] };

/** Lets one agent in, with one token, once. */
function createFakeDoor(): FakeDoor {
  const attached: Transport[] = [];
  let isLive = true;
  return {
    token: 'a-live-agent-token',
    attached,
    admit(token) {
      if (token !== 'a-live-agent-token') return 'invalid';
      if (attached.length > 0) return 'already_connected';
      if (!isLive) return 'invalid';
      isLive = false;
      return 'ok';
    },
    attach: (transport) => attached.push(transport),
  };
}
