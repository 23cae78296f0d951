import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readResponse, requestText, sendRaw } from '../raw-http.ts';
import {
  describeScreen,
  expectHardened,
  expectProblem,
  expectRefused,
  expectServed,
  get,
  post,
  type Target,
} from './target.ts';

const MIB = 1024 * 1024;

/** Rows H8 to H11, H14 and R1: messages that are malformed, too large, or go nowhere. */
export function messageAttacks(target: () => Target): void {
  const action = async (more: Parameters<typeof post>[2]) =>
    post(target(), '/api/tee/actions', { userId: 'ann', body: await describeScreen(target()), ...more });

  describe('H8: a body that is not declared as JSON in UTF-8', () => {
    test.each([
      'text/plain',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json-patch+json',
      'application/problem+json',
      'application/json, text/plain',
      'json',
      '',
      undefined,
    ])('"%s" is refused', async (contentType) => {
      await expectServed(target(), { contentType: 'Application/JSON; charset=UTF-8' });
      await expectRefused(target(), await action({ contentType }), { status: 415, code: 'unsupported_media_type' });
    });
  });

  describe('H9: methods and routes that are not served', () => {
    test.each([
      ['PUT', '/api/tee/actions', 'GET, HEAD, POST'],
      ['DELETE', '/api/tee/actions', 'GET, HEAD, POST'],
      ['POST', '/health', 'GET, HEAD'],
      ['TRACE', '/health', 'GET, HEAD'],
      ['OPTIONS', '/health', 'GET, HEAD'],
      ['PROPFIND', '/api/tee/artifacts/x', 'DELETE, GET, HEAD'],
      ['GET', '/api/tee/devices/register', 'POST'],
      ['DELETE', '/api/tee/devices/register?x=1', 'POST'],
    ])('%s %s is refused and told what is', async (method, path, allow) => {
      const bytes = post(target(), path, { userId: 'ann' }).replace('POST', method);
      const response = await expectRefused(target(), bytes, { status: 405, code: 'method_not_allowed' });
      expect(response.headers.allow).toBe(allow);
    });

    test('X-HTTP-Method-Override changes nothing', async () => {
      const headers = ['X-HTTP-Method-Override: POST', 'X-HTTP-Method: POST', 'X-Method-Override: POST'];
      const bytes = get(target(), '/api/tee/actions/act_x/cancel', { userId: 'ann', headers });
      await expectRefused(target(), bytes, { status: 405, code: 'method_not_allowed' });
    });

    test.each([
      '/',
      '/api',
      '/api/tee/action',
      '/api/tee/actions/',
      '/API/tee/actions',
      '/health/x',
      '/api/tee/actions;x',
    ])('nothing is at %s', async (path) => {
      const response = await sendRaw(target(), get(target(), path, { userId: 'ann' }));
      expectHardened(response);
      if (path === '/') return;
      expectProblem(response, { status: 404, code: 'not_found' });
      expect(await target().wasCounted('not_found')).toBe(true);
    });
  });

  describe('H10: what is not HTTP/1.1', () => {
    const refused = async (bytes: string | Uint8Array) => {
      const response = await expectRefused(target(), bytes, { status: 400, code: 'malformed_http' });
      expect(response.closed).toBe(true);
    };

    test('Content-Length and Transfer-Encoding together', async () => {
      await expectServed(target());
      await refused(await action({ headers: ['Transfer-Encoding: chunked'] }));
    });
    test('two Content-Lengths', async () => refused(await action({ headers: ['Content-Length: 1'] })));
    test('lines that end in a bare LF', async () => refused((await action({})).replaceAll('\r\n', '\n')));
    test('one header that ends in a bare LF', async () => refused((await action({})).replace('ann\r\n', 'ann\n')));
    test('a header name with a space', async () => refused(await action({ headers: ['X-A : b'] })));
    test('a folded header', async () => refused(await action({ headers: ['X-A: b', ' c'] })));
    test('a NUL in a header', async () => refused(await action({ headers: ['X-A: b\0c'] })));
    test('a made-up method', async () => refused((await action({})).replace('POST', 'FETCH')));
    test('bytes outside of ASCII in the target', async () => refused((await action({})).replace('/api', '/äpi')));
    test('a TLS hello', () => refused(Buffer.from('16030100a5010000a10303', 'hex')));
    test('the HTTP/2 preface', () => refused('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'));
    test('a chunk without a size', async () => {
      const headers = ['Transfer-Encoding: chunked', 'Content-Type: application/json', 'x-user-id: ann'];
      const lines = [`Host: 127.0.0.1:${target().port}`, ...headers];
      await refused(requestText('POST /api/tee/actions', lines, 'xyz\r\n{}\r\n0\r\n\r\n'));
    });
    test('an Expect nobody meets is a bad request', async () => {
      await expectRefused(target(), await action({ headers: ['Expect: miracles'] }), {
        status: 400,
        code: 'bad_request',
      });
    });

    test('garbage behind a good request does not disturb its answer', async () => {
      const text = await readAll(target(), `${get(target(), '/health')}\r\n\0\0\0`);
      expect(text).toMatch(/^HTTP\/1.1 200 /);
      expect(text.match(/"code":/g) ?? []).toHaveLength(text.includes('malformed_http') ? 1 : 0);
    });
  });

  describe('H11: what is too large, too long or too slow', () => {
    test('headers over 16 KiB', async () => {
      await expectServed(target(), { headers: [`X-Large: ${'a'.repeat(12 * 1024)}`] });
      const bytes = await action({ headers: [`X-Large: ${'a'.repeat(17 * 1024)}`] });
      await expectRefused(target(), bytes, { status: 431, code: 'headers_too_large' });
    });

    test('a path parameter over 128 characters', async () => {
      const longest = await sendRaw(target(), get(target(), `/api/tee/actions/${'a'.repeat(128)}`, { userId: 'ann' }));
      expectProblem(longest, { status: 404, code: 'action_not_found' });
      const bytes = get(target(), `/api/tee/actions/${'a'.repeat(129)}`, { userId: 'ann' });
      await expectRefused(target(), bytes, { status: 414, code: 'uri_too_long' });
    });

    test.each(['/%zz', '/%', '/health%', '/api/tee/actions/%c3%28', '/%ff', '/a\\b', '/health#x', '/"x"'])(
      'the broken path %s',
      async (path) => {
        const response = await sendRaw(target(), get(target(), path, { userId: 'ann' }));
        expectProblem(response, { status: 400, code: JSON.parse(response.body).code });
        expect(['bad_url', 'malformed_http']).toContain(JSON.parse(response.body).code);
      },
    );

    test('an action of 1 MiB, by its length', async () => {
      const body = `{"a":"${'a'.repeat(MIB)}"}`;
      await expectRefused(target(), await action({ body }), { status: 413, code: 'payload_too_large' });
    });

    test('an action of more than 64 KiB, announced and not sent', async () => {
      const bytes = requestText('POST /api/tee/actions', [
        `Host: 127.0.0.1:${target().port}`,
        'x-user-id: ann',
        'Content-Type: application/json',
        `Content-Length: ${64 * 1024 + 1}`,
      ]);
      await expectRefused(target(), bytes, { status: 413, code: 'payload_too_large' });
    });

    test('an action of more than 64 KiB, in chunks', async () => {
      const chunk = `${(64 * 1024).toString(16)}\r\n${'a'.repeat(64 * 1024)}\r\n`;
      const bytes = requestText(
        'POST /api/tee/actions',
        [
          `Host: 127.0.0.1:${target().port}`,
          'x-user-id: ann',
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        ],
        `${chunk.repeat(2)}0\r\n\r\n`,
      );
      await expectRefused(target(), bytes, { status: 413, code: 'payload_too_large' });
    });
  });

  describe('H14: what every response carries', () => {
    test.each(['GET /health', 'HEAD /health', 'GET /api/tee/actions', 'GET /nowhere', 'PUT /health'])(
      '%s',
      async (line) => {
        const [method = '', path = ''] = line.split(' ');
        const bytes = get(target(), path, { userId: 'ann' }).replace('GET', method);
        expectHardened(await sendRaw(target(), method === 'HEAD' ? bytes.replace('HEAD', 'GET') : bytes));
      },
    );
  });

  describe('R1: names of artifacts that are meant to be paths', () => {
    test.each([
      '..%2f..%2fetc%2fpasswd',
      '..%5c..%5cetc',
      '%2e%2e%2f',
      '%2e%2e',
      '%252e%252e%252fetc',
      'art_x%00.png',
      'art_x%0d%0aSet-Cookie:%20a=b',
      '..\\..\\etc',
      'a//b',
    ])('%s is refused', async (id) => {
      const bytes = get(target(), `/api/tee/artifacts/${id}`, { userId: 'ann' });
      await expectRefused(target(), bytes, { status: 400, code: 'bad_url' });
    });

    test.each(['art_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nothing', '...', '~', '-rf', 'con'])('%s is unknown', async (id) => {
      const response = await sendRaw(target(), get(target(), `/api/tee/artifacts/${id}`, { userId: 'ann' }));
      expectProblem(response, { status: 404, code: 'artifact_not_found' });
    });

    test('a dot segment cannot climb out of its route', async () => {
      await expectRefused(target(), get(target(), '/api/tee/artifacts/../../../health'), {
        status: 400,
        code: 'bad_url',
      });
    });
  });
}

/** Row H11, the slow ones: for a target whose timeouts are short, or for whoever has the time. */
export function slownessAttacks(target: () => Target): void {
  test('H11: trickled headers', async () => {
    const bytes = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${target().port}\r\nX-Slow: `;
    await expectRefused(target(), bytes, { status: 408, code: 'request_timeout' });
  });

  test('H11: a body that never ends', async () => {
    const bytes = post(target(), '/api/tee/actions', { userId: 'ann', headers: ['Content-Length: 100'] });
    await expectRefused(target(), `${bytes}{`, { status: 408, code: 'request_timeout' });
  });

  test('H11: a connection that says nothing', async () => {
    const socket = connect(target());
    expectProblem(await readResponse(socket), { status: 408, code: 'request_timeout' });
  });
}

async function readAll(target: Target, bytes: string): Promise<string> {
  const socket = connect(target);
  socket.end(bytes);
  const chunks = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
