import { expect, test } from 'vitest';
import { createStreamParser } from '../../renderer/src/wire/event-stream-parser.ts';

function parse(...pieces: string[]) {
  const parser = createStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

test('a message has its id, its kind and its data', () => {
  expect(parse('id: 7\nevent: action.requested\ndata: {"a":1}\n\n')).toEqual([
    { id: '7', event: 'action.requested', data: '{"a":1}' },
  ]);
});

test('what is not named is left out, and the kind is then message', () => {
  expect(parse('data: x\n\n')).toEqual([{ id: undefined, event: 'message', data: 'x' }]);
});

test('comments and messages without data are none', () => {
  expect(parse(': still here\n\n', 'id: 8\n\n', '\n\n')).toEqual([]);
});

test('several lines of data are one text; one space behind the colon is not part of it', () => {
  expect(parse('data:a\ndata:  b\ndata\n\n')).toEqual([{ id: undefined, event: 'message', data: 'a\n b\n' }]);
});

test('a field without a colon or with a colon in its value is read as the standard says', () => {
  expect(parse('data: a: b\nretry\n\n')).toEqual([{ id: undefined, event: 'message', data: 'a: b' }]);
});

test.each([
  ['line feeds', 'id: 1\ndata: x\n\ndata: y\n\n'],
  ['carriage returns', 'id: 1\rdata: x\r\rdata: y\r\r\r'],
  ['both', 'id: 1\r\ndata: x\r\n\r\ndata: y\r\n\r\n'],
])('lines may end with %s, and pieces anywhere', (_what, text) => {
  const expected = [
    { id: '1', event: 'message', data: 'x' },
    { id: undefined, event: 'message', data: 'y' },
  ];
  expect(parse(text)).toEqual(expected);
  expect(parse(...text)).toEqual(expected);
});

test('a message that is not complete yet is kept for later', () => {
  const parser = createStreamParser();
  expect(parser.push('id: 1\ndata: ')).toEqual([]);
  expect(parser.push('x\n')).toEqual([]);
  expect(parser.push('\n')).toEqual([{ id: '1', event: 'message', data: 'x' }]);
});
