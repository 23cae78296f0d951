import { expect } from 'vitest';
import { test, type WholeRig } from './whole-rig.ts';

type Listed = { id: string; isCurrent: boolean };

async function sessionsOf(rig: WholeRig, person: Record<string, string>): Promise<Listed[]> {
  const { status, body } = await rig.call('GET /api/console/sessions', { headers: person });
  expect([status, body.nextCursor]).toEqual([200, null]);
  return body.items as Listed[];
}

async function isSignedIn(rig: WholeRig, person: Record<string, string>): Promise<boolean> {
  return (await rig.call('GET /api/console/status', { headers: person })).status === 200;
}

test('sessions are listed and ended, singly', async ({ rig }) => {
  const [mine, other] = [await rig.signIn(), await rig.signIn()];
  const listed = await sessionsOf(rig, mine);
  expect(listed).toMatchObject([{ isCurrent: false }, { isCurrent: true }]);
  const stream = await fetch(`${rig.url}/api/console/events`, { headers: other });
  const ended = await rig.call(`DELETE /api/console/sessions/${listed[0]?.id}`, { headers: mine });
  expect(ended).toEqual({ status: 204, body: {} });
  // The stream ends too: reading its whole text would otherwise wait for ever.
  expect(await stream.text()).toContain(': connected');
  expect([await isSignedIn(rig, mine), await isSignedIn(rig, other)]).toEqual([true, false]);
  expect(await rig.call('GET /api/console/status', { headers: other })).toMatchObject({
    status: 401,
    body: { code: 'console_session_required', reason: 'ended_by_person' },
  });
  const again = await rig.call(`DELETE /api/console/sessions/${listed[0]?.id}`, { headers: mine });
  expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('all other sessions are ended at once', async ({ rig }) => {
  const people = [await rig.signIn(), await rig.signIn(), await rig.signIn()];
  const [mine = {}] = people;
  expect(await rig.call('POST /api/console/sessions/end-others', { headers: mine })).toEqual({
    status: 200,
    body: { ended: 2 },
  });
  expect(await Promise.all(people.map((person) => isSignedIn(rig, person)))).toEqual([true, false, false]);
});

test('a code that is entered again ends the session and its stream, and the page is told why', async ({ rig }) => {
  const code = rig.services.createSignInCode();
  const signIn = () => rig.call('POST /api/console/session', { body: { code }, headers: { origin: rig.url } });
  const first = await signIn();
  const person = { origin: rig.url, authorization: `Bearer ${String(first.body.key)}` };
  const stream = await fetch(`${rig.url}/api/console/events`, { headers: person });
  expect(await signIn()).toMatchObject({
    status: 401,
    body: { code: 'console_session_required', reason: 'code_reused', detail: expect.stringContaining('used before') },
  });
  expect(await stream.text()).toContain(': connected');
  expect(await rig.call('GET /api/console/confirmations', { headers: person })).toMatchObject({
    status: 401,
    body: {
      code: 'console_session_required',
      reason: 'code_reused',
      detail: expect.stringMatching(/^Someone used your sign-in code again, so Handrail ended that session\./),
    },
  });
});

test('a session key that nobody was given is told no reason', async ({ rig }) => {
  const headers = { origin: rig.url, authorization: `Bearer ${'A'.repeat(43)}` };
  const { status, body } = await rig.call('GET /api/console/status', { headers });
  expect([status, body.code]).toEqual([401, 'console_session_required']);
  expect(body).not.toHaveProperty('reason');
});

test('sign-in takes a body of 1 KiB, and none that is a byte larger', async ({ rig }) => {
  const code = rig.services.createSignInCode();
  const bodyOf = (bytes: number) => `{"code":"${code}"}`.padEnd(bytes, ' ');
  const send = (body: string | ReadableStream) =>
    fetch(`${rig.url}/api/console/session`, {
      method: 'POST',
      headers: { origin: rig.url, 'content-type': 'application/json' },
      body,
      ...(typeof body !== 'string' && { duplex: 'half' as const }),
    });
  const chunked = new Blob([bodyOf(1_025)]).stream();
  for (const body of [bodyOf(1_025), bodyOf(1_048_576), chunked]) {
    const answer = await send(body);
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'payload_too_large', maxBytes: 1_024 }]);
  }
  expect((await send(bodyOf(1_024))).status).toBe(200);
});
