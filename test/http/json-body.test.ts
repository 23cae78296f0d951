import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { REGISTRATION, startRig } from './rig.ts';

const TEXT = JSON.stringify(REGISTRATION);

/** Registers a device with a body that is exactly this. */
async function register(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const rig = await startRig();
  const response = await fetch(`${rig.url}/api/tee/devices/register`, {
    method: 'POST',
    headers: { 'x-user-id': 'ann', 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: Object(await response.json()) };
}

test.each([
  ["{'type':'linux'}", 'line 1, column 2'],
  ['{"type":\n  None}', 'line 2, column 3'],
  ['{"type":NaN}', 'line 1, column 9'],
  ['{"names":["a","[,",],"b":1}', 'line 1, column 20'],
  ['{"names":[[],{},],"b":1}', 'line 1, column 17'],
  ['{"type":}', 'line 1, column 9'],
  ['{"type":"linux",}', 'line 1, column 17'],
  ['{"type":"li\nnux"}', 'line 1, column 12'],
  ['{"at position 3 (line 1 column 4)":nil}', 'line 1, column 36'],
  ['// a device\n{}', 'line 1, column 1'],
  ['{"type":"linux"', 'line 1, column 16, where it ends'],
  ['[', 'line 1, column 2, where it ends'],
])('%j is told where it ends being JSON, and nothing of it', async (text, place) => {
  expect(await register(text)).toMatchObject({
    status: 400,
    body: { code: 'invalid_json', detail: `The body must be JSON in UTF-8; this one has a syntax error at ${place}.` },
  });
});

test('a byte order mark before the JSON is no part of it', async () => {
  expect(await register(`\uFEFF${TEXT}`)).toMatchObject({ status: 201, body: REGISTRATION });
});

test.each(['application/json; charset=utf8', 'application/json;charset=UTF-8', 'application/json; charset="utf8"'])(
  '%s is JSON in UTF-8',
  async (contentType) => {
    expect(await register(TEXT, { 'content-type': contentType })).toMatchObject({ status: 201 });
  },
);

test('a compressed body is refused as such', async () => {
  const answer = await register(gzipSync(TEXT), { 'content-encoding': 'gzip' });
  expect(answer).toMatchObject({
    status: 415,
    body: {
      code: 'unsupported_media_type',
      detail: 'A body is taken as it is, without Content-Encoding; "gzip" came. Send it uncompressed.',
    },
  });
  expect(answer.headers.get('accept-encoding')).toBe('identity');
  expect(await register(TEXT, { 'content-encoding': 'identity' })).toMatchObject({ status: 201 });
});

test.each([
  ['64 levels is read', 64, 'validation_failed'],
  ['65 levels is refused', 65, 'invalid_json'],
])('a body with %s', async (_what, levels, code) => {
  const answer = await register(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  expect(answer).toMatchObject({ status: 400, body: { code } });
});

test('a number that is too large for JavaScript is refused: as it has no canonical form, it has no digest', async () => {
  for (const number of ['1e400', '[-1e999]']) {
    const { status, body } = await register(`{"type":"linux","name":"a","capabilities":{},"more":${number}}`);
    expect([status, body.code, body.detail]).toEqual([400, 'invalid_json', expect.stringContaining('number')]);
  }
});
