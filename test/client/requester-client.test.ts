import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchAt } from '../../src/client/call.ts';
import { createRequesterClient } from '../../src/client/requester-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Sent = { path: string; method: string; headers: Headers };

/** Answers one after another, the last one again and again; `sent` is what came. */
function daemonThat(...answers: (() => Response)[]) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (path, init) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ path: String(path), method: String(init?.method), headers: new Headers(init?.headers) });
    if (answer === undefined) throw new Error('no answer is left');
    return answer();
  };
  return { sent, client: createRequesterClient({ fetch, userId: 'me', key: 'k' }) };
}

const WAIT = { targetDeviceId: 'dev_1', actionType: 'Wait', parameters: { durationMs: 1 } };
const done = () => Response.json({ actionId: 'act_1', status: 'success' });
const hungUp = () => {
  throw new TypeError('fetch failed');
};
const problem = (code: string, status: number, headers: Record<string, string> = {}) =>
  Response.json(
    { code, detail: 'No.' },
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

test('an action is sent again with the same key when the connection breaks, so that it is not done twice', async () => {
  const { client, sent } = daemonThat(hungUp, () => problem('idempotency_in_progress', 409), done);
  const answer = client.act(WAIT, { waitS: 5 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toMatchObject({ ok: true, value: { actionId: 'act_1' } });
  const [first, ...others] = sent.map(({ headers }) => Object.fromEntries(headers));
  expect(first).toEqual({
    'x-user-id': 'me',
    authorization: 'Bearer k',
    'content-type': 'application/json',
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    prefer: 'wait=5',
  });
  expect(others).toEqual([first, first]);
});

test('each action has a key of its own, and a caller may bring one', async () => {
  const { client, sent } = daemonThat(done);
  await client.act(WAIT);
  await client.act(WAIT);
  await client.act(WAIT, { idempotencyKey: 'mine' });
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test('a refusal that stays is answered at once', async () => {
  const { client, sent } = daemonThat(() => problem('parameters_invalid', 422));
  expect(await client.act(WAIT)).toEqual({ ok: false, failure: { code: 'parameters_invalid', detail: 'No.' } });
  expect(sent).toHaveLength(1);
});

test('a cancellation is sent once: a second one would be refused because the first worked', async () => {
  const { client, sent } = daemonThat(hungUp);
  expect(await client.cancelAction('act_1')).toMatchObject({ failure: { code: 'unreachable' } });
  expect(sent.map(({ method, path }) => [method, path])).toEqual([['POST', '/api/tee/actions/act_1/cancel']]);
});

test('a busy daemon is asked again after the time that it names, and not at all after a long one', async () => {
  const busy = () => problem('rate_limited', 429, { 'retry-after': '7' });
  const { client, sent } = daemonThat(busy, done);
  const answer = client.action('act_1');
  await vi.advanceTimersByTimeAsync(6_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toMatchObject({ ok: true });
  const other = daemonThat(() => problem('rate_limited', 429, { 'retry-after': '31' }));
  expect(await other.client.action('act_1')).toMatchObject({ failure: { retryAfterSeconds: 31 } });
});

test('five tries are made; an abort ends them', async () => {
  const { client, sent } = daemonThat(hungUp);
  const answer = client.devices();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answer).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
  expect(sent).toHaveLength(5);
  const stopped = new AbortController();
  const other = daemonThat(hungUp);
  const aborted = other.client.act(WAIT, { signal: stopped.signal });
  await vi.advanceTimersByTimeAsync(0);
  stopped.abort();
  expect(await aborted).toMatchObject({ failure: { code: 'unreachable' } });
  expect(other.sent).toHaveLength(1);
});

test('what a refusal names stands in its failure', async () => {
  const body = { code: 'action_blocked', detail: 'No.', actionId: 'act_9', errors: [{ pointer: '/a', message: 'b' }] };
  const headers = { 'content-type': 'application/problem+json' };
  const { client } = daemonThat(() => Response.json(body, { status: 403, headers }));
  const { code, detail, actionId, errors } = body;
  expect(await client.act(WAIT)).toEqual({ ok: false, failure: { code, detail, actionId, errors } });
});

const streamOf = (text: string) => () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const event = (id: number, kind: string) => `id: ${id}\nevent: ${kind}\ndata: {"id":"${id}","kind":"${kind}"}\n\n`;

test('a stream that ends is opened again behind its last event', async () => {
  const { client, sent } = daemonThat(
    streamOf(event(1, 'action.requested')),
    hungUp,
    streamOf(event(2, 'action.ended') + event(9, 'reset')),
  );
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { kind, id } of client.followEvents({ signal: stop.signal, after: '0' }))
      seen.push(`${id} ${kind}`);
  })();
  await vi.advanceTimersByTimeAsync(2_000);
  stop.abort();
  await reading;
  expect(seen.slice(0, 3)).toEqual(['1 action.requested', '2 action.ended', '9 reset']);
  expect(sent.slice(0, 4).map(({ headers }) => headers.get('last-event-id'))).toEqual(['0', '1', '1', '9']);
});

test('a stream that broke before it had a position begins again with a reset', async () => {
  const { client } = daemonThat(streamOf(''), streamOf(event(5, 'action.ended')));
  const stop = new AbortController();
  const events = client.followEvents({ signal: stop.signal });
  const first = events.next();
  await vi.advanceTimersByTimeAsync(500);
  expect(await first).toMatchObject({ value: { kind: 'reset' } });
  expect(await events.next()).toMatchObject({ value: { id: '5' } });
});

test('a stream that is refused for good is an error with its failure', async () => {
  const { client } = daemonThat(() => problem('user_key_invalid', 401));
  const events = client.followEvents({ signal: new AbortController().signal });
  await expect(events.next()).rejects.toMatchObject({ failure: { code: 'user_key_invalid' } });
});

test('in Node, paths lead to the address of the daemon', async () => {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (address) => {
    asked.push(String(address));
    return Response.json({ items: [] });
  };
  await createRequesterClient({ fetch: fetchAt('http://127.0.0.1:3001', fetch), userId: 'me' }).devices();
  expect(asked).toEqual(['http://127.0.0.1:3001/api/tee/devices']);
});
