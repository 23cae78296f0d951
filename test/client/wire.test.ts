import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replyOf } from '../../src/client/call.ts';
import { readEvents } from '../../src/client/event-stream.ts';
import { backoffMs } from '../../src/client/pause.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('an answer has its value; one without a body has none', async () => {
  expect(await replyOf(Response.json({ paused: true }))).toEqual({ ok: true, value: { paused: true } });
  expect(await replyOf(new Response(null, { status: 204 }))).toEqual({ ok: true, value: undefined });
});

test('a problem is a failure with its code, its words and when to try again', async () => {
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '60' };
  const response = Response.json({ code: 'rate_limited', detail: 'Wait a minute.' }, { status: 429, headers });
  expect(await replyOf(response)).toEqual({
    ok: false,
    failure: { code: 'rate_limited', detail: 'Wait a minute.', retryAfterSeconds: 60 },
  });
});

test('an answer of no known shape is a failure too', async () => {
  expect(await replyOf(new Response('<h1>?</h1>', { status: 502 }))).toEqual({
    ok: false,
    failure: { code: 'internal_error', detail: 'Handrail answered 502.' },
  });
});

test('each further failure waits longer, up to ten seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 100].map(backoffMs)).toEqual([500, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

function source() {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const wasCancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => wasCancelled.resolve(),
  });
  return {
    body,
    wasCancelled: wasCancelled.promise,
    say: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    fail: () => controller?.error(new TypeError('network error')),
  };
}

test('a stream is read to its end, also when that is a failure', async () => {
  for (const how of ['end', 'fail'] as const) {
    const stream = source();
    const reading = Array.fromAsync(readEvents(stream.body));
    stream.say('id: 1\ndata: x\n\n');
    await vi.advanceTimersByTimeAsync(0);
    stream[how]();
    expect(await reading).toEqual([{ id: '1', data: 'x' }]);
  }
});

test('a stream that says nothing for 40 s is given up', async () => {
  const stream = source();
  const reading = Array.fromAsync(readEvents(stream.body));
  await vi.advanceTimersByTimeAsync(39_000);
  stream.say(': still here\n\n');
  await vi.advanceTimersByTimeAsync(39_000);
  stream.say('data: y\n\n');
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await reading).toEqual([{ data: 'y' }]);
  await stream.wasCancelled;
});
