import { expect, test } from 'vitest';
import { readEvents } from '../../src/client/event-stream.ts';

function messagesOf(...pieces: string[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  return Array.fromAsync(readEvents(body));
}

test('a message has its id, its kind and its data', async () => {
  expect(await messagesOf('id: 7\nevent: action.requested\ndata: {"a":1}\n\n')).toEqual([
    { id: '7', event: 'action.requested', data: '{"a":1}' },
  ]);
});

test('comments and messages without data are left out', async () => {
  expect(await messagesOf(': still here\n\n', 'id: 8\n\n', '\n\n')).toEqual([]);
});

test('several lines of data are one text; one space behind the colon is not part of it', async () => {
  expect(await messagesOf('data:a\ndata:  b\ndata\n\n')).toEqual([{ data: 'a\n b\n' }]);
});

test('a field without a colon or with a colon in its value is read as the standard says', async () => {
  expect(await messagesOf('data: a: b\nretry\n\n')).toEqual([{ data: 'a: b' }]);
});

test.each([
  ['line feeds', 'id: 1\ndata: x\n\ndata: y\n\n'],
  ['carriage returns', 'id: 1\rdata: x\r\rdata: y\r\r\r'],
  ['both', 'id: 1\r\ndata: x\r\n\r\ndata: y\r\n\r\n'],
])('lines may end with %s, and pieces anywhere', async (_what, text) => {
  const expected = [{ id: '1', data: 'x' }, { data: 'y' }];
  expect(await messagesOf(text)).toEqual(expected);
  expect(await messagesOf(...text)).toEqual(expected);
});

test('the end of a message may come in later pieces; a message without its end is left out', async () => {
  expect(await messagesOf('id: 1\ndata: ', 'x\n', '\n', 'data: y\n')).toEqual([{ id: '1', data: 'x' }]);
});
