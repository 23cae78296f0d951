import { expect, test } from 'vitest';
import { createConsoleClient, openSession } from '../../src/client/console-client.ts';

type Sent = { path: string; method?: string; headers: Record<string, string>; body?: unknown };

/** What `fetch` was called with, while it answers what the test says. */
function recording(answer: () => Response) {
  const sent: Sent[] = [];
  const fetch = async (path: string | URL | Request, init: RequestInit = {}) => {
    const { method, body } = init;
    sent.push({
      path: String(path),
      headers: Object.fromEntries(new Headers(init.headers)),
      method,
      ...(typeof body === 'string' && { body: JSON.parse(body) }),
    });
    return answer();
  };
  return { sent, fetch };
}

function clientOver(answer: () => Response) {
  const { sent, fetch } = recording(answer);
  const lost: true[] = [];
  const client = createConsoleClient({ fetch, key: 'the-key', onSessionLost: () => lost.push(true) });
  return { sent, lost, client };
}

const problem = (code: string, status: number) =>
  Response.json({ code, detail: 'No.' }, { status, headers: { 'content-type': 'application/problem+json' } });
const authorization = 'Bearer the-key';

test('a code is exchanged without a key', async () => {
  const { sent, fetch } = recording(() => Response.json({ key: 'k', expiresAt: 'later' }));
  expect(await openSession(fetch, { code: 'abc' })).toEqual({ ok: true, value: { key: 'k', expiresAt: 'later' } });
  const headers = { 'content-type': 'application/json' };
  expect(sent).toEqual([{ path: '/api/console/session', method: 'POST', headers, body: { code: 'abc' } }]);
});

test('every call carries the key, and ids are escaped in its path', async () => {
  const { client, sent } = clientOver(() => Response.json({}));
  await client.shown('cnf_1', { openedToEnd: true, onScreenMs: 40 });
  await client.resumeUser('a/../b@c');
  expect(sent).toEqual([
    {
      path: '/api/console/confirmations/cnf_1/shown',
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: { openedToEnd: true, onScreenMs: 40 },
    },
    { path: '/api/console/users/a%2F..%2Fb%40c/resume', method: 'POST', headers: { authorization } },
  ]);
});

test('a refused key ends the session, on a stream too; another refusal does not', async () => {
  const { client, lost } = clientOver(() => problem('console_session_required', 401));
  await client.confirmations();
  await client.events(undefined, new AbortController().signal);
  expect(lost).toHaveLength(2);
  const other = clientOver(() => problem('confirmation_stale', 409));
  expect(await other.client.hold('cnf_1', 'press')).toEqual({
    ok: false,
    failure: { code: 'confirmation_stale', detail: 'No.' },
  });
  expect(other.lost).toEqual([]);
});

test('the stream goes on from a position', async () => {
  const { client, sent } = clientOver(() => new Response('id: 1\n\n'));
  const signal = new AbortController().signal;
  expect(await client.events(undefined, signal)).toMatchObject({ ok: true });
  await client.events('41', signal);
  expect(sent.map(({ headers }) => headers)).toEqual([
    { accept: 'text/event-stream', authorization },
    { accept: 'text/event-stream', authorization, 'last-event-id': '41' },
  ]);
});

const broken = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.error(new TypeError('network error')),
    }),
  );

test.each<[string, () => Response]>([
  [
    'no answer',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
  ['an answer that breaks off', broken],
  ['half an answer', () => new Response('{"items":[')],
])('%s means that the daemon is out of reach', async (_what, answer) => {
  const { client } = clientOver(answer);
  expect(await client.confirmations()).toEqual({
    ok: false,
    failure: { code: 'unreachable', detail: 'Handrail does not answer.' },
  });
});
