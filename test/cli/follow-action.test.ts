import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitingWords } from '../../src/cli/follow-action.ts';
import type { Action } from '../../src/contract/action.ts';
import { handrail, newHome } from './rig.ts';

const HEALTH = {
  status: 'ok',
  service: 'handrail',
  version: '1.2.3',
  uptimeMs: 1,
  instanceId: 'one',
  checks: { overall: 'ok', store: 'ok', agent: 'online', desktop: 'ok', processes: 'ok', scripts: 'available' },
  storage: {
    results: { usedBytes: 0, limitBytes: 1, limitBytesPerUser: 1 },
    artifacts: { usedBytes: 0, limitBytes: 1, limitBytesPerUser: 1 },
    formerVersions: { usedBytes: 0, limitBytes: 1, files: 0, limitFiles: 1 },
  },
};

type Answer = { status?: number; body: unknown };
const NONE_LEFT = { status: 500, body: { code: 'internal_error', detail: 'no answer is left' } };

/** A daemon that answers each call with the next of these; the look for it and the device are served beside them. */
async function daemonThat(...answers: Answer[]) {
  const calls: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const reply = (response: ServerResponse, { status = 200, body }: Answer) => {
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/health') return reply(response, { body: HEALTH });
    if (request.url === '/api/tee/devices/register')
      return reply(response, { status: 201, body: { deviceId: 'dev_1' } });
    calls.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    return reply(response, answers.shift() ?? NONE_LEFT);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const home = newHome();
  const environment = { HANDRAIL_PORT: String(port), HANDRAIL_DATA_DIR: join(home, 'data') };
  return { calls, headers, world: { home, environment }, base: `http://127.0.0.1:${port}` };
}

const action = (status: string, more: object = {}) => ({
  body: {
    actionId: 'act_1',
    actionType: 'OpenApp',
    status,
    details: `It is ${status}.`,
    confirmation: { id: 'cnf_1', expiresAt: '1970-01-01T00:01:30Z' },
    ...more,
  },
});

test.each([
  ['success', 0],
  ['denied', 3],
  ['expired', 4],
  ['failed', 5],
  ['unknown', 5],
  ['cancelled', 1],
])('an action that waits and then ends as %s has exit code %i', async (status, code) => {
  const { calls, world, base } = await daemonThat(action('awaiting_confirmation'), action('running'), action(status));
  const ran = await handrail(['open', 'xterm'], world);
  expect(ran.code).toBe(code);
  expect(ran.errors).toContain(`waits for your answer at ${base}/ until 1970-01-01T00:01:30Z`);
  if (status === 'success') expect(ran.output).toBe('It is success.\n');
  else
    expect(ran).toMatchObject({ output: '', errors: expect.stringContaining(`handrail: ${status}: It is ${status}.`) });
  expect(calls).toEqual(['POST /api/tee/actions', 'GET /api/tee/actions/act_1', 'GET /api/tee/actions/act_1']);
});

test('with --json the whole record is printed whatever the end is', async () => {
  const { world } = await daemonThat(action('denied'));
  const { code, output } = await handrail(['open', 'xterm', '--json'], world);
  expect([code, JSON.parse(output).status]).toEqual([3, 'denied']);
});

test.each([
  [403, 'action_blocked', 3],
  [503, 'paused', 3],
  [422, 'parameters_invalid', 2],
  [401, 'user_key_invalid', 1],
])('a refusal with %i %s has exit code %i and its code in the message', async (status, name, code) => {
  const { world } = await daemonThat({ status, body: { code: name, detail: 'No.' } });
  const ran = await handrail(['open', 'xterm'], world);
  expect(ran).toEqual({ code, output: '', errors: `handrail: No. (${name})\n` });
});

test('the user id is that of --as, of the environment, or cli; a key of the environment is sent', async () => {
  const ids = [];
  for (const [words, environment] of [
    [[], {}],
    [[], { HANDRAIL_USER_ID: 'from-environment', HANDRAIL_USER_KEY: 'secret' }],
    [['--as', 'from-words'], { HANDRAIL_USER_ID: 'from-environment' }],
  ] as const) {
    const { headers, world } = await daemonThat(action('success'));
    await handrail(['open', 'xterm', ...words], { ...world, environment: { ...world.environment, ...environment } });
    ids.push([headers[0]?.['x-user-id'], headers[0]?.authorization]);
  }
  expect(ids).toEqual([
    ['cli', undefined],
    ['from-environment', 'Bearer secret'],
    ['from-words', undefined],
  ]);
});

test('a text of the daemon cannot rewrite the terminal', async () => {
  const { world } = await daemonThat(action('success', { details: 'done\u001b[2J\u202e' }));
  expect((await handrail(['open', 'xterm'], world)).output).toBe('done\\u{1b}[2J\\u{202e}\n');
});

test('the line of a wait has the address and the time that is left', () => {
  const style = (_style: string, text: string) => text;
  const words = (status: string, nowMs: number) =>
    waitingWords(action(status).body as Action, { base: 'http://127.0.0.1:3001', nowMs, style });
  expect(words('awaiting_confirmation', 43_000)).toBe('Waiting for your answer at http://127.0.0.1:3001/  0:47 left');
  expect(words('awaiting_confirmation', 100_000)).toContain('0:00 left');
  expect(words('queued', 0)).toBe('Waiting for its turn …');
  expect(words('running', 0)).toBe('Running …');
});
