import { expect } from 'vitest';
import type { ProblemCode } from '../../../src/contract/problem.ts';
import { type Conformance, createConformance } from '../conformance.ts';
import { type Address, type RawResponse, requestText, sendRaw } from '../raw-http.ts';

/** A running server under attack: the HTTP room over services in memory, or a whole daemon. */
export type Target = Address & {
  /** Whether any action was carried out since this was last asked. */
  wasExecuted(): boolean | Promise<boolean>;
  /** Whether a refusal with this code was counted since the target was started. */
  wasCounted(code: ProblemCode): boolean | Promise<boolean>;
};

/** A device of the user, registered the first time. It asks before apps are opened. */
export async function deviceOf(target: Target, userId: string): Promise<string> {
  const body = JSON.stringify({ type: 'linux', name: 'Desk', capabilities: {} });
  const response = await sendRaw(target, post(target, '/api/tee/devices/register', { userId, body }));
  return String(JSON.parse(response.body).id);
}

export type Request = {
  userId?: string;
  body?: string;
  /** In place of the right ones; `undefined` leaves one out. */
  host?: string | undefined;
  contentType?: string | undefined;
  /** Beside them, as they are written. */
  headers?: readonly string[];
};

export function post(target: Address, path: string, request: Request = {}): string {
  return requestOf(target, `POST ${path}`, request);
}

export function get(target: Address, path: string, request: Request = {}): string {
  return requestOf(target, `GET ${path}`, { contentType: undefined, ...request });
}

function requestOf(target: Address, line: string, request: Request): string {
  const {
    userId,
    body = '',
    host,
    contentType,
    headers = [],
  } = {
    host: `127.0.0.1:${target.port}`,
    contentType: 'application/json',
    ...request,
  };
  return requestText(
    line,
    [
      ...(host === undefined ? [] : [`Host: ${host}`]),
      ...(userId === undefined ? [] : [`x-user-id: ${userId}`]),
      ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      ...headers,
    ],
    body,
  );
}

/** An action that runs at once: whoever gets it through has executed something. */
export async function describeScreen(target: Target, userId = 'ann'): Promise<string> {
  const targetDeviceId = await deviceOf(target, userId);
  return JSON.stringify({ targetDeviceId, actionType: 'DescribeScreen', parameters: {} });
}

/** The positive control: a well-formed action of the same user is carried out. */
export async function expectServed(target: Target, request: Request = {}): Promise<void> {
  const body = request.body ?? (await describeScreen(target));
  const bytes = post(target, '/api/tee/actions', { userId: 'ann', ...request, body });
  const response = await sendRaw(target, bytes);
  expect([response.status, JSON.parse(response.body).status]).toEqual([200, 'success']);
  await expectDescribed(target, bytes, response);
  expectHardened(response);
  expect(await target.wasExecuted()).toBe(true);
}

/** Sends the attack and expects the refusal: the right problem, nothing given away, nothing executed, and counted. */
export async function expectRefused(
  target: Target,
  bytes: string | Uint8Array,
  expected: { status: number; code: ProblemCode },
  send: typeof sendRaw = sendRaw,
): Promise<RawResponse> {
  await target.wasExecuted();
  const response = await send(target, bytes);
  await expectDescribed(target, bytes, response);
  expectProblem(response, expected);
  expect(await target.wasExecuted()).toBe(false);
  expect(await target.wasCounted(expected.code)).toBe(true);
  return response;
}

export function expectProblem(response: RawResponse, { status, code }: { status: number; code: ProblemCode }): void {
  expect([response.status, response.body]).toEqual([status, expect.stringContaining(`"code":"${code}"`)]);
  expectHardened(response);
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(JSON.parse(response.body)).toMatchObject({
    type: `urn:handrail:problem:${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: `urn:uuid:${response.headers['x-request-id']}`,
    code,
  });
  expect(response.text).not.toMatch(/\n\s*at |node_modules|node:internal|\.ts\b|\/(?:home|root|tmp|usr|work)\//);
}

const described = new WeakMap<Target, Conformance>();

/** Where the path is one of the description's, so must be the response. */
async function expectDescribed(target: Target, bytes: string | Uint8Array, response: RawResponse): Promise<void> {
  const conformance = described.get(target) ?? createConformance(await describe(target));
  described.set(target, conformance);
  const [method = '', path = ''] = Buffer.from(bytes).toString().split(' ', 2);
  const contentType = response.headers['content-type'] ?? '';
  const seen = { status: response.status, contentType, body: JSON.parse(response.body) };
  expect(conformance.complaints({ method, path }, seen)).toEqual([]);
}

async function describe(target: Target): Promise<object> {
  return JSON.parse((await sendRaw(target, get(target, '/openapi.json'))).body);
}

/** What every response has, and what none has. */
export function expectHardened(response: RawResponse): void {
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
  });
  const names = Object.keys(response.headers);
  expect(
    names.filter((name) => name.startsWith('access-control-') || ['server', 'x-powered-by'].includes(name)),
  ).toEqual([]);
}
