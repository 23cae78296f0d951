import Database from 'better-sqlite3';
import { expect, vi } from 'vitest';
import { PATIENCE } from '../runner/patience.ts';
import { requestText, sendRaw } from './raw-http.ts';
import { asking, connectAgent, register, SCREENSHOT, startWhole, submitted, test, type WholeRig } from './whole-rig.ts';

const WAIT = { actionType: 'Wait', parameters: { durationMs: 5 } };

test('a wrong user key is counted, the right one is not', async ({ rig }) => {
  await register(rig);
  const person = await rig.signIn();
  const { body } = await rig.call('POST /api/console/users/ann/key', { headers: person });
  const listed = (key: string) =>
    rig.call('GET /api/tee/devices', { headers: { 'x-user-id': 'ann', authorization: `Bearer ${key}` } });
  expect([(await listed(String(body.key))).status, (await listed('guessed')).status]).toEqual([200, 401]);
  expect(await violations(rig)).toEqual({ userKeys: 1 });
});

test('a sign-in code that is made up is counted; one of ours that was replaced, is too old, or led to a session that is over is not', async () => {
  const rig = await startWhole();
  const open = async (code: string) =>
    (await rig.call('POST /api/console/session', { body: { code }, headers: { origin: rig.url } })).status;
  const replaced = rig.services.createSignInCode();
  const used = rig.services.createSignInCode();
  const first = await rig.call('POST /api/console/session', { body: { code: used }, headers: { origin: rig.url } });
  const person = { origin: rig.url, authorization: `Bearer ${String(first.body.key)}` };
  expect((await rig.call('DELETE /api/console/session', { headers: person })).status).toBe(204);
  expect([await open(replaced), await open(used)]).toEqual([401, 401]);
  const tooOld = rig.services.createSignInCode();
  rig.clock.advance(10 * 60_000);
  expect(await open(tooOld)).toBe(401);
  expect(await violations(rig)).toEqual({});
  expect(await open('made-up')).toBe(401);
  expect(await violations(rig)).toEqual({ consoleKeys: 1 });
  const refused = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'session.refused');
  expect(refused.map(({ metadata }) => metadata)).toEqual([{ spent: true }, { spent: true }, { spent: true }, {}]);
});

test('a sign-in code that is entered again while its session is open is counted', async ({ rig }) => {
  const code = rig.services.createSignInCode();
  for (const status of [200, 401]) {
    const answer = await rig.call('POST /api/console/session', { body: { code }, headers: { origin: rig.url } });
    expect(answer.status).toBe(status);
  }
  expect(await violations(rig)).toEqual({ consoleKeys: 1 });
});

test('a code that was made long before many others is a made-up one, so that they need no more and more room', async () => {
  const rig = await startWhole();
  const first = rig.services.createSignInCode();
  for (let count = 0; count < 100; count += 1) rig.services.createSignInCode();
  const enter = () => rig.call('POST /api/console/session', { body: { code: first }, headers: { origin: rig.url } });
  // The first wrong code counts as a typing error.
  await enter();
  expect(await violations(rig)).toEqual({});
  await enter();
  expect(await violations(rig)).toEqual({ consoleKeys: 1 });
});

test('a link that was followed from elsewhere is refused as ever, and not counted; what a page can do by itself is', async () => {
  const rig = await startWhole();
  const codeOf = async (line: string, [site, mode, dest]: readonly string[]) => {
    const headers = [`Sec-Fetch-Site: ${site}`, `Sec-Fetch-Mode: ${mode}`, `Sec-Fetch-Dest: ${dest}`];
    const { body } = await sendRaw(rig, requestText(line, [`Host: 127.0.0.1:${rig.port}`, ...headers]));
    return JSON.parse(body).code;
  };
  for (const site of ['cross-site', 'same-site'])
    expect(await codeOf('GET /login', [site, 'navigate', 'document'])).toBe('cross_site_request');
  expect(await violations(rig)).toEqual({});
  const byItself: [line: string, headers: readonly string[]][] = [
    ['POST /login', ['cross-site', 'navigate', 'document']],
    ['GET /login', ['cross-site', 'navigate', 'iframe']],
    ['GET /login', ['cross-site', 'no-cors', 'image']],
    ['GET /login', ['cross-site', 'cors', 'empty']],
    ['GET /login', ['cross-site', 'no-cors', 'document']],
  ];
  for (const [line, headers] of byItself) expect(await codeOf(line, headers)).toBe('cross_site_request');
  expect(await violations(rig)).toEqual({ crossSiteCalls: byItself.length });
});

test('a session key that nobody was given is counted; none at all, and one of a daemon before, are not', async () => {
  const rig = await startWhole();
  const person = await rig.signIn();
  const next = await rig.restart();
  const status = (headers: Record<string, string>) =>
    next.call('GET /api/console/confirmations', { headers }).then((reply) => reply.status);
  expect([await status({}), await status({ authorization: person.authorization ?? '' })]).toEqual([401, 401]);
  expect(await violations(next)).toEqual({});
  expect(await status({ authorization: `Bearer ${'x'.repeat(43)}` })).toBe(401);
  expect(await violations(next)).toEqual({ consoleKeys: 1 });
  const refused = next.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'request.refused');
  expect(refused.map(({ metadata }) => metadata)).toEqual([
    { code: 'console_session_required', count: 1 },
    { code: 'console_session_required', count: 1 },
    { code: 'console_session_required', count: 1, as: 'session_key_unknown' },
  ]);
});

test('an agent that shows a token a second time is counted', async ({ rig }) => {
  const { authorization } = await connectAgent(rig);
  const upgrade = [
    `Host: 127.0.0.1:${rig.port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: ${authorization}`,
  ];
  const { status } = await sendRaw(rig, ['GET /api/tee/agent HTTP/1.1', ...upgrade, '', ''].join('\r\n'));
  expect(status).toBe(401);
  expect(await violations(rig)).toEqual({ agentTokens: 1 });
});

test('foreign hosts, origins and sites are counted, all of a flood of them', async ({ rig }) => {
  await sendRaw(rig, `GET /health HTTP/1.1\r\nHost: evil.example:${rig.port}\r\n\r\n`);
  for (let count = 0; count < 5; count += 1)
    await rig.call('GET /health', { headers: { origin: 'https://evil.example' } });
  await rig.call('GET /health', { headers: { 'sec-fetch-site': 'cross-site' } });
  rig.clock.advance(1_000);
  expect(await violations(rig)).toEqual({ hosts: 1, origins: 5, crossSiteCalls: 1 });
});

test('an answer to an attempt that was answered, or never asked for, is counted', async ({ rig }) => {
  const agent = await connectAgent(rig);
  const held = submitted(rig, WAIT);
  const asked = await agent.asked();
  agent.answer(asked);
  agent.answer(asked);
  expect(await held).toMatchObject({ status: 'success' });
  agent.answer('act_01ARZ3NDEKTSV4RRFFQ69G5FAV/1');
  await vi.waitUntil(() => countOf(rig, 'agent.violation') === 2, PATIENCE);
  expect(await violations(rig)).toEqual({ secondAnswers: 2 });
});

test('an honest answer that comes when its attempt was given up is written down, and not counted', async ({ rig }) => {
  const agent = await connectAgent(rig);
  const held = submitted(rig, { ...WAIT, timeoutMs: 1_000 });
  const asked = await agent.asked();
  rig.clock.advance(60_000);
  await held;
  expect(await violations(rig)).toEqual({});
  agent.answer(asked);
  await vi.waitUntil(() => countOf(rig, 'agent.result_ignored') === 1, PATIENCE);
  expect(await violations(rig)).toEqual({});
});

test('an answer for another digest or nonce is counted; one that comes after the rules changed is not', async () => {
  const rig = await startWhole();
  await connectAgent(rig);
  const person = await rig.signIn();
  const prompt = await asking(rig, person);
  const decide = (change: object) =>
    rig.call(`POST /api/console/confirmations/${prompt.id}/decision`, {
      headers: person,
      body: { decision: 'allow', scope: 'once', nonce: prompt.nonce, actionDigest: prompt.actionDigest, ...change },
    });
  const stale = { status: 409, body: { code: 'confirmation_stale' } };
  expect(await decide({ actionDigest: '0'.repeat(64) })).toMatchObject(stale);
  expect(await decide({ nonce: 'another' })).toMatchObject(stale);
  rig.clock.advance(2_000);
  expect(await violations(rig)).toEqual({ digestMismatches: 2 });
  const byLevel = { low: 'allow', medium: 'ask', high: 'ask', critical: 'block' };
  await rig.call('PUT /api/console/profiles', { headers: person, body: { name: 'other', byLevel, rules: [] } });
  expect(await decide({})).toMatchObject(stale);
  expect(await violations(rig)).toEqual({ digestMismatches: 2 });
});

test('an answer in the name of a user is counted, with the session key of the person too', async ({ rig }) => {
  await connectAgent(rig);
  const person = await rig.signIn();
  const { id, nonce, actionDigest } = await asking(rig, person);
  for (const headers of [{ 'x-user-id': 'ann' }, { ...person, 'x-user-id': 'ann' }]) {
    const body = { decision: 'allow', scope: 'once', nonce, actionDigest };
    const reply = await rig.call(`POST /api/console/confirmations/${id}/decision`, { headers, body });
    expect(reply).toMatchObject({ status: 403, body: { code: 'approval_requires_person' } });
  }
  rig.clock.advance(1_000);
  expect(await violations(rig)).toEqual({ selfApprovalAttempts: 2 });
});

test('a journal that does not verify is counted', async ({ rig }) => {
  const person = await rig.signIn();
  const verify = () => rig.call('GET /api/console/audit/verify', { headers: person });
  expect((await verify()).body).toMatchObject({ valid: true });
  expect(await violations(rig)).toEqual({});
  const database = new Database(`${rig.path}/handrail.db`);
  database.exec(`DROP TRIGGER journal_is_never_updated; UPDATE journal SET kind = 'daemon.paused' WHERE seq = 1`);
  database.close();
  expect((await verify()).body).toMatchObject({ valid: false, brokenAt: 1 });
  expect(await violations(rig)).toEqual({ journalBreaks: 1 });
});

test('what the person allows, once or with a grant, is no violation', async ({ rig }) => {
  const agent = await connectAgent(rig);
  const person = await rig.signIn();
  const { id, nonce, actionDigest } = await asking(rig, person);
  await rig.call(`POST /api/console/confirmations/${id}/shown`, { headers: person });
  rig.clock.advance(1_000);
  const body = { decision: 'allow', scope: 'minutes15', nonce, actionDigest };
  await rig.call(`POST /api/console/confirmations/${id}/decision`, { headers: person, body });
  agent.answer(await agent.asked());
  await vi.waitUntil(() => countOf(rig, 'action.succeeded') === 1, PATIENCE);
  const granted = submitted(rig, SCREENSHOT);
  await vi.waitUntil(() => countOf(rig, 'action.dispatched') === 2, PATIENCE);
  agent.answer(await agent.asked());
  expect(await granted).toMatchObject({ status: 'success' });
  expect(await violations(rig)).toEqual({});
});

/** The counts above 0 of held and failed controls, by kind. The metric is the sum of the failed ones. */
async function violations(rig: WholeRig): Promise<Record<string, number>> {
  rig.clock.advance(1_000);
  const { body } = await rig.call('GET /api/guardian/metrics?type=control_violations');
  const [{ value, breakdown }] = body.items as [
    { value: number; breakdown: Record<string, number> & { held: Record<string, number> } },
  ];
  const { held, ...failed } = breakdown;
  expect(value).toBe(Object.values(failed).reduce((sum, times) => sum + times, 0));
  return Object.fromEntries(Object.entries({ ...failed, ...held }).filter(([, times]) => times > 0));
}

function countOf(rig: WholeRig, kind: string): number {
  return rig.store.journal.readAfter(0, 1_000).filter((row) => row.kind === kind).length;
}
