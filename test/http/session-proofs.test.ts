import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { LINK_PATH } from '../../src/contract/link.ts';
import { createPageKeys, type PageKeys, type ToSign } from './page-key.ts';
import { requestText, sendRaw } from './raw-http.ts';
import {
  connectAgent,
  type Reply,
  SCREENSHOT,
  startWhole,
  submitted,
  test,
  type WholeCall,
  type WholeRig,
} from './whole-rig.ts';

const STATUS = 'GET /api/console/status';
const SETTINGS = 'PUT /api/console/settings';

type SignedIn = { keys: PageKeys; session: string; copied: Record<string, string> };

async function signIn(rig: WholeRig): Promise<SignedIn> {
  const keys = createPageKeys();
  const body = { code: rig.services.createSignInCode(), publicKey: keys.publicKey };
  const opened = await rig.call('POST /api/console/session', { body, headers: { origin: rig.url } });
  const session = String(opened.body.key);
  return { keys, session, copied: { origin: rig.url, authorization: `Bearer ${session}` } };
}

/** A call of the page; `told`: what its proof says otherwise. */
function signed(rig: WholeRig, { keys, session, copied }: SignedIn, line: string, told: Partial<ToSign> = {}) {
  return (call: WholeCall = {}): Promise<Reply> => {
    const text = call.body === undefined ? '' : JSON.stringify(call.body);
    return rig.call(line, { ...call, headers: { ...copied, ...keys.proofOf({ line, session, body: text, ...told }) } });
  };
}

const refusedAs = (reason: string) => ({ status: 401, body: { code: 'console_session_required', reason } });

async function consoleRoutes(rig: WholeRig): Promise<string[]> {
  const { body } = await rig.call('GET /openapi.json');
  const paths = Object.entries<object>(Object(body.paths));
  const lines = paths.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, 'x')}`),
  );
  return lines.filter((line) => line.includes(' /api/console/') && line !== 'POST /api/console/session');
}

test('A27: the copied key of a session opens no route of the console, no stream and no socket', async ({ rig }) => {
  const { copied } = await signIn(rig);
  const routes = await consoleRoutes(rig);
  expect(routes.length).toBeGreaterThan(50);
  expect(routes).toContain('GET /api/console/events');
  for (const line of routes) {
    const body = line.startsWith('GET') ? {} : { body: {} };
    expect([line, await rig.call(line, { headers: copied, ...body })]).toMatchObject([
      line,
      refusedAs('proof_missing'),
    ]);
  }
  const upgrade = requestText(`GET ${LINK_PATH}`, [
    `Host: 127.0.0.1:${rig.port}`,
    `Authorization: ${copied.authorization}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]);
  expect((await sendRaw(rig, upgrade)).status).toBe(401);
  expect(rig.services.console.sessions.list('')).toHaveLength(1);
});

test('A2: no route of the console serves a requester, a page of another origin, or a caller without Origin', async ({
  rig,
}) => {
  const person = await rig.signIn();
  const before = rig.store.journal.head().seq;
  for (const line of await consoleRoutes(rig)) {
    const isRead = line.startsWith('GET');
    const statusFor = async (headers: Record<string, string>) =>
      (await rig.call(line, { headers, ...(!isRead && { body: {} }) })).status;
    const { origin: _, ...withoutOrigin } = person;
    const asUser = [
      await statusFor({ origin: rig.url, 'x-user-id': 'ann' }),
      await statusFor({ ...person, 'x-user-id': 'ann' }),
    ];
    expect([line, ...asUser]).toEqual([line, ...(isRead ? [401, 401] : [403, 403])]);
    expect([line, await statusFor({ ...person, origin: 'http://127.0.0.1:1' })]).toEqual([line, 403]);
    if (!isRead) expect([line, await statusFor(withoutOrigin)]).toEqual([line, 403]);
  }
  rig.clock.advance(1_000);
  const kinds = rig.store.journal.readAfter(before, 1_000).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['request.refused']));
});

test('A27: what Guardian tells the person alone, it does not tell a copied key', async ({ rig }) => {
  const page = await signIn(rig);
  await connectAgent(rig);
  await submitted(rig, SCREENSHOT);
  const line = 'GET /api/guardian/tee/actions';
  const userIdIn = ({ body }: Reply) => Object(body.items)[0].userId;
  expect(userIdIn(await rig.call(line, { headers: page.copied }))).toMatch(/^user-[0-9a-f]{4}$/);
  expect(userIdIn(await signed(rig, page, line)())).toBe('ann');
});

test('A27: a call is served when the page has signed it, and a proof is refused the second time', async ({ rig }) => {
  const page = await signIn(rig);
  const once = { ...page.copied, ...page.keys.proofOf({ line: STATUS, session: page.session }) };
  expect((await rig.call(STATUS, { headers: once })).status).toBe(200);
  expect(await rig.call(STATUS, { headers: once })).toMatchObject(refusedAs('proof_replayed'));
  expect((await signed(rig, page, STATUS)()).status).toBe(200);
});

test.each([
  ['another path', { line: 'GET /api/console/about' }],
  ['another query', { line: `${STATUS}?all=1` }],
  ['another method', { line: 'HEAD /api/console/status' }],
  ['another session', { session: 'A'.repeat(43) }],
])('A27: the proof of %s is refused', async (_what, told) => {
  const rig = await startWhole();
  const page = await signIn(rig);
  expect(await signed(rig, page, STATUS, told)()).toMatchObject(refusedAs('proof_wrong'));
});

test('A27: the proof by the key of another page is refused, and one that is none', async ({ rig }) => {
  const [page, other] = [await signIn(rig), await signIn(rig)];
  expect(await signed(rig, { ...page, keys: other.keys }, STATUS)()).toMatchObject(refusedAs('proof_wrong'));
  const headers = { ...page.copied, 'x-handrail-proof': 'none' };
  expect(await rig.call(STATUS, { headers })).toMatchObject(refusedAs('proof_wrong'));
});

test('A27: a proof lets no other body through, and nothing is changed', async ({ rig }) => {
  const page = await signIn(rig);
  const before = (await signed(rig, page, 'GET /api/console/settings')()).body;
  for (const body of ['{"promptExpiryMs":90000}', '']) {
    const answer = await signed(rig, page, SETTINGS, { body })({ body: { promptExpiryMs: 600_000 } });
    expect(answer).toMatchObject(refusedAs('proof_of_other_body'));
  }
  const pause = await signed(rig, page, 'POST /api/console/pause', { body: '{}' })();
  expect(pause).toMatchObject(refusedAs('proof_of_other_body'));
  expect((await signed(rig, page, 'GET /api/console/settings')()).body).toEqual(before);
  expect((await signed(rig, page, SETTINGS)({ body: { promptExpiryMs: 600_000 } })).status).toBe(200);
});

test('A27: calls that are sent together may come in any order, and none of them twice', async ({ rig }) => {
  const page = await signIn(rig);
  const send = (number: number) => signed(rig, page, STATUS, { number: String(number) })();
  for (const number of [3, 1, 2]) expect((await send(number)).status).toBe(200);
  for (const number of [1, 2, 3, 0]) expect(await send(number)).toMatchObject(refusedAs('proof_replayed'));
});

test('A27: a call that is refused for its proof does not keep the session alive, and counts as an attempt', async () => {
  const rig = await startWhole();
  const page = await signIn(rig);
  rig.clock.advance(12 * 3_600_000 - 1);
  expect((await rig.call(STATUS, { headers: page.copied })).status).toBe(401);
  rig.clock.advance(1);
  expect(await rig.call(STATUS, { headers: page.copied })).toMatchObject(refusedAs('idle'));
  const refusals = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind === 'request.refused');
  expect(refusals.map(({ metadata }) => metadata)).toMatchObject([{ as: 'session_key_unknown' }, { count: 1 }]);
});

test('A27: the stream of events is proved when it is opened', async ({ rig }) => {
  const page = await signIn(rig);
  const line = 'GET /api/console/events';
  const headers = { ...page.copied, ...page.keys.proofOf({ line, session: page.session }) };
  const hung = new AbortController();
  const stream = await fetch(`${rig.url}/api/console/events`, { headers, signal: hung.signal });
  expect(stream.status).toBe(200);
  hung.abort();
  expect(await rig.call(line, { headers })).toMatchObject(refusedAs('proof_replayed'));
});

test.each([
  ['on another curve', () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey],
  ['of another kind', () => generateKeyPairSync('ed25519').publicKey],
])('a public key %s is refused, and the code stays good', async (_what, make) => {
  const rig = await startWhole();
  const code = rig.services.createSignInCode();
  const publicKey = make().export({ format: 'der', type: 'spki' }).toString('hex').padEnd(182, '0').slice(0, 182);
  const open = (body: object) => rig.call('POST /api/console/session', { body, headers: { origin: rig.url } });
  expect(await open({ code, publicKey })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  const offCurve = `${createPageKeys().publicKey.slice(0, -4)}0000`;
  expect(await open({ code, publicKey: offCurve })).toMatchObject({ status: 400 });
  expect((await open({ code })).status).toBe(200);
});
