import { beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { Confirmation } from '../../src/contract/console.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { until } from '../desktop/processes.ts';
import { upgradeText } from '../http/attacks/agent-socket-attacks.ts';
import { expectRefused, post } from '../http/attacks/target.ts';
import { actionOf } from '../http/confirmation-queue.ts';
import { requestText } from '../http/raw-http.ts';
import type { RunningDaemon } from './daemon.ts';
import type { DaemonTarget } from './daemon-target.ts';
import { openStream } from './event-reader.ts';
import type { Secrets } from './secrets.ts';

const SCREENSHOT = { actionType: 'TakeScreenshot', parameters: {} };

/** Rows A2 and A8: everything short of being the person at the dashboard, tried on a prompt that really waits. */
export function consoleAttacks(target: () => DaemonTarget, secrets: Secrets): void {
  let asked: Action;
  let prompt: Confirmation;
  let sessionKey: string;
  let userKey: string;
  let endedKey: string;
  const origin = () => `Origin: ${target().daemon.base}`;
  const bearer = (key: string) => `Authorization: Bearer ${key}`;

  beforeAll(async () => {
    const { daemon } = target();
    const person = await daemon.signIn();
    sessionKey = person.key;
    const headers = { origin: daemon.base, authorization: `Bearer ${sessionKey}` };
    const device = await daemon.register({ canCaptureScreen: true }, 'mallory');
    asked = (await daemon.submit({ targetDeviceId: device.id, ...SCREENSHOT }, { userId: 'mallory' })).body;
    prompt = (await person.prompts()).find((each) => actionOf(each)?.actionId === asked.actionId) as Confirmation;
    await daemon.call(`/api/console/confirmations/${prompt.id}/shown`, { method: 'POST', headers });
    await daemon.register({}, 'keyed');
    const made = await daemon.call<{ key: string }>('/api/console/users/keyed/key', { method: 'POST', headers });
    userKey = made.body.key;
    const code = await daemon.call<{ code: string }>('/api/console/session/code', { method: 'POST', headers });
    endedKey = await signedOut(daemon, code.body.code);
    secrets.keys.set('the sign-in code', daemon.signInCode);
    secrets.keys.set('a session key', sessionKey);
    secrets.keys.set('a user key', userKey);
    secrets.keys.set('the key of an ended session', endedKey);
  });

  /** The right answer in every respect but for who gives it. */
  const decision = () =>
    JSON.stringify({
      decision: 'allow',
      scope: 'once',
      nonce: prompt.nonce,
      actionDigest: prompt.actionDigest,
      presence: 'touchId',
    });

  async function stillWaits(): Promise<void> {
    const { body } = await target().daemon.call<Action>(`/api/tee/actions/${asked.actionId}`, { userId: 'mallory' });
    expect(body).toMatchObject({ status: 'awaiting_confirmation', confirmation: { id: prompt.id } });
    expect(body.artifacts).toBeUndefined();
  }

  type Try = { headers: () => string[]; status: number; code: ProblemCode };
  const NOT_A_PERSON = { status: 403, code: 'approval_requires_person' } as const;
  const NO_SESSION = { status: 401, code: 'console_session_required' } as const;
  const FOREIGN = { status: 403, code: 'origin_not_allowed' } as const;
  const tries: [string, Try][] = [
    ['nothing at all', { headers: () => [], ...NOT_A_PERSON }],
    ['our Origin alone', { headers: () => [origin()], ...NOT_A_PERSON }],
    ['the x-user-id of the requester', { headers: () => ['x-user-id: mallory', origin()], ...NOT_A_PERSON }],
    [
      'the session key, in the name of a user',
      { headers: () => ['x-user-id: mallory', origin(), bearer(sessionKey)], ...NOT_A_PERSON },
    ],
    ['the session key as a cookie', { headers: () => [origin(), `Cookie: key=${sessionKey}`], ...NOT_A_PERSON }],
    ['a key that is none', { headers: () => [origin(), bearer('A'.repeat(43))], ...NO_SESSION }],
    ['an empty key', { headers: () => [origin(), 'Authorization: Bearer '], ...NO_SESSION }],
    [
      'the session key in another scheme',
      { headers: () => [origin(), `Authorization: Basic ${sessionKey}`], ...NO_SESSION },
    ],
    ['the key of a user', { headers: () => [origin(), bearer(userKey)], ...NO_SESSION }],
    ['the key of an ended session', { headers: () => [origin(), bearer(endedKey)], ...NO_SESSION }],
    ['the used sign-in code', { headers: () => [origin(), bearer(target().daemon.signInCode)], ...NO_SESSION }],
    ['the session key twice', { headers: () => [origin(), bearer(`${sessionKey},${sessionKey}`)], ...NO_SESSION }],
    ['the session key without an Origin', { headers: () => [bearer(sessionKey)], ...FOREIGN }],
    [
      'the session key from a foreign page',
      { headers: () => [bearer(sessionKey), 'Origin: https://evil.example'], ...FOREIGN },
    ],
    ['the session key from a sandboxed page', { headers: () => [bearer(sessionKey), 'Origin: null'], ...FOREIGN }],
  ];

  describe('A2, A8: an approval by somebody else', () => {
    test.each(tries)('%s', async (_what, { headers, status, code }) => {
      const path = `/api/console/confirmations/${prompt.id}/decision`;
      await expectRefused(target(), post(target(), path, { headers: headers(), body: decision() }), { status, code });
      await stillWaits();
    });

    test.each(['shown', 'hold'])('a user cannot say that the prompt was %s', async (step) => {
      const path = `/api/console/confirmations/${prompt.id}/${step}`;
      const body = step === 'hold' ? '{"phase":"release"}' : '';
      const request = {
        headers: [origin()],
        userId: 'mallory',
        ...(body === '' ? { contentType: undefined } : { body }),
      };
      await expectRefused(target(), post(target(), path, request), NOT_A_PERSON);
      await stillWaits();
    });

    test.each([
      ['PUT', '/users/mallory/profile', '{"profile":"trusted"}'],
      [
        'PUT',
        '/profiles',
        '{"name":"mine","byLevel":{"low":"allow","medium":"allow","high":"allow","critical":"allow"},"rules":[]}',
      ],
      ['PUT', '/settings', '{"promptExpiryMs":600000}'],
      ['POST', '/resume', ''],
      ['POST', '/pause', ''],
      ['POST', '/users/mallory/resume', ''],
      ['DELETE', '/users/keyed/key', ''],
    ])('a user cannot %s %s', async (method, path, body) => {
      const request = {
        headers: [origin()],
        userId: 'mallory',
        ...(body === '' ? { contentType: undefined } : { body }),
      };
      const bytes = post(target(), `/api/console${path}`, request).replace('POST', method);
      await expectRefused(target(), bytes, NOT_A_PERSON);
      await stillWaits();
    });

    test.each(['/confirmations', '/activity', '/grants', '/status', '/events', '/profiles'])(
      'a user cannot read %s',
      async (path) => {
        const bytes = requestText(`GET /api/console${path}`, [
          `Host: 127.0.0.1:${target().port}`,
          'x-user-id: mallory',
        ]);
        await expectRefused(target(), bytes, NO_SESSION);
      },
    );

    test.each([
      ['no token', () => []],
      ['the session key as its token', () => [bearer(sessionKey)]],
      ['the sign-in code as its token', () => [bearer(target().daemon.signInCode)]],
      ['a user key as its token', () => [bearer(userKey)]],
    ])('an agent with %s is not heard', async (_what, headers) => {
      const result = { jsonrpc: '2.0', method: 'action/finished', params: { actionId: asked.actionId, attempt: 1 } };
      const bytes = `${upgradeText(target(), { headers: headers() })}${JSON.stringify(result)}`;
      await expectRefused(target(), bytes, { status: 401, code: 'agent_token_invalid' });
      await stillWaits();
    });

    test('the call of a user that has a key needs that key', async () => {
      const { daemon } = target();
      const withKey = (key: string) =>
        daemon.call('/api/tee/devices', { userId: 'keyed', headers: { authorization: `Bearer ${key}` } });
      expect((await withKey(userKey)).status).toBe(200);
      expect([(await withKey(sessionKey)).status, (await withKey('guess')).status]).toEqual([401, 401]);
      expect((await daemon.call('/api/tee/devices', { userId: 'keyed' })).status).toBe(401);
    });

    test('the person, after all that, is believed', async () => {
      const { daemon } = target();
      const headers = { origin: daemon.base, authorization: `Bearer ${sessionKey}` };
      const path = `/api/console/confirmations/${prompt.id}/decision`;
      const { presence: _claimed, ...body } = JSON.parse(decision());
      expect((await daemon.call<Action>(path, { headers, body })).status).toBe(200);
      await until('the picture is taken', async () => {
        const record = await daemon.call<Action>(`/api/tee/actions/${asked.actionId}`, { userId: 'mallory' });
        return record.body.status === 'success';
      });
    });
  });

  describe('A8: a session that the person has ended', () => {
    test.each(['/confirmations', '/activity', '/grants', '/status', '/events', '/profiles'])(
      'does not read %s',
      async (path) => {
        const bytes = requestText(`GET /api/console${path}`, [`Host: 127.0.0.1:${target().port}`, bearer(endedKey)]);
        await expectRefused(target(), bytes, NO_SESSION);
      },
    );

    test('is told nothing more by the stream it had open, and the other one is', async () => {
      const { daemon } = target();
      const asOther = { origin: daemon.base, authorization: `Bearer ${sessionKey}` };
      const { body } = await daemon.call<{ code: string }>('/api/console/session/code', {
        method: 'POST',
        headers: asOther,
      });
      const streams = { other: await openStream(`${daemon.base}/api/console/events`, asOther) };
      const key = await signedIn(daemon, body.code);
      const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
      const ended = await fetch(`${daemon.base}/api/console/events`, { headers });
      expect((await daemon.call('/api/console/session', { method: 'DELETE', headers })).status).toBe(204);
      expect(await ended.text()).not.toContain('session.closed');
      // Refusals of the tests before are counted up to a second later, and may come in between.
      const names: string[] = [];
      while (names.at(-1) !== 'session.closed') names.push(...(await streams.other.takeNames(1)));
      expect(names.filter((name) => name !== 'request.refused')).toEqual(['session.opened', 'session.closed']);
      streams.other.drop();
    });
  });

  describe('A8: the sign-in code', () => {
    const signIn = (code: string, headers: readonly string[] = [origin()]) =>
      post(target(), '/api/console/session', { headers, body: JSON.stringify({ code }) });

    test('does not sign in twice, and the second entry ends the session of the first one alone', async () => {
      const { daemon } = target();
      const headersOf = (key: string) => ({ origin: daemon.base, authorization: `Bearer ${key}` });
      const asked = { method: 'POST', headers: headersOf(sessionKey) };
      const { code } = (await daemon.call<{ code: string }>('/api/console/session/code', asked)).body;
      const key = await signedIn(daemon, code);
      secrets.keys.set('a sign-in code that was entered twice', code);
      await expectRefused(target(), signIn(code), NO_SESSION);
      const statusOf = (held: string) => daemon.call('/api/console/status', { headers: headersOf(held) });
      expect(await statusOf(key)).toMatchObject({ status: 401, body: { reason: 'code_reused' } });
      expect((await statusOf(sessionKey)).status).toBe(200);
      expect(daemon.log()).toContain('a sign-in code was entered a second time');
    });

    test('does not sign in from nowhere, nor from a foreign page', async () => {
      await expectRefused(target(), signIn('guess', []), FOREIGN);
      await expectRefused(target(), signIn('guess', ['Origin: https://evil.example']), FOREIGN);
    });

    test('is not guessed: the sixth wrong one within a minute is not even looked at', async () => {
      for (let count = 0; count < 4; count += 1) await expectRefused(target(), signIn(`guess${count}`), NO_SESSION);
      await expectRefused(target(), signIn('guess'), { status: 429, code: 'rate_limited' });
    });
  });
}

async function signedIn({ call, base }: RunningDaemon, code: string): Promise<string> {
  const session = await call<{ key: string }>('/api/console/session', { body: { code }, headers: { origin: base } });
  return session.body.key;
}

/** The key of a session that was opened and ended. */
async function signedOut(daemon: RunningDaemon, code: string): Promise<string> {
  const key = await signedIn(daemon, code);
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  const { status } = await daemon.call('/api/console/session', { method: 'DELETE', headers });
  if (status !== 204) throw new Error(`signing out was answered with ${status}`);
  return key;
}
