import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { requestText, sendRaw } from '../raw-http.ts';
import { describeScreen, expectRefused, expectServed, post, type Target } from './target.ts';

/** Rows H1 to H6 and H12. `PORT` stands for the port of the target. */
export function perimeterAttacks(target: () => Target): void {
  const withPort = (text: string) => text.replaceAll('PORT', String(target().port));
  const action = async (headers: readonly string[] = [], host = '127.0.0.1:PORT') =>
    post(target(), '/api/tee/actions', {
      userId: 'ann',
      host: withPort(host),
      headers: headers.map(withPort),
      body: await describeScreen(target()),
    });

  describe('H1: a Host that is not ours', () => {
    test.each([
      'evil.example:PORT',
      '127.1:PORT',
      '0.0.0.0:PORT',
      '[::1]:PORT',
      '2130706433:PORT',
      '0x7f000001:PORT',
      'localhost.:PORT',
      'LOCALHOST.:PORT',
      'a.localhost:PORT',
      '127.0.0.1.nip.io:PORT',
      'evil@localhost:PORT',
      'localhost:PORT@evil',
      '127.0.0.1:PORT/',
      '127.0.0.1:1',
      '127.0.0.1:0PORT',
      '127.0.0.1',
      'localhost',
      '',
    ])('"%s" is refused', async (host) => {
      await expectServed(target(), { host: withPort('localhost:PORT') });
      await expectRefused(target(), await action([], host), { status: 403, code: 'host_not_allowed' });
    });
  });

  describe('H2: a request whose server is not said once and plainly', () => {
    const refused = (bytes: string) => expectRefused(target(), bytes, { status: 400, code: 'bad_request' });

    test.each(['127.0.0.1:PORT', 'evil.example'])('a second Host header, %s, is refused', async (second) => {
      await expectServed(target());
      await refused(await action([`Host: ${second}`]));
    });

    test('no Host at all is refused', async () => {
      const body = await describeScreen(target());
      await refused(post(target(), '/api/tee/actions', { userId: 'ann', host: undefined, body }));
    });

    test('HTTP/1.0 without Host is refused', async () => {
      const body = await describeScreen(target());
      const bytes = post(target(), '/api/tee/actions', { userId: 'ann', host: undefined, body });
      await refused(bytes.replace('HTTP/1.1', 'HTTP/1.0'));
    });

    test.each(['http://127.0.0.1:PORT', 'http://evil.example'])(
      'a target in absolute form, under %s, is refused',
      async (origin) => {
        await refused((await action()).replace(' /api', ` ${withPort(origin)}/api`));
      },
    );

    test('CONNECT is refused', async () => {
      await refused(requestText('CONNECT 127.0.0.1:22', [withPort('Host: 127.0.0.1:PORT')]));
    });
  });

  test.each(['X-Forwarded-Host: 127.0.0.1:PORT', 'Forwarded: host=127.0.0.1:PORT', 'X-Original-Host: localhost:PORT'])(
    'H3: an evil Host is not mended by %s',
    async (header) => {
      await expectServed(target(), { headers: [withPort(header)] });
      await expectRefused(target(), await action([header], 'evil.example'), { status: 403, code: 'host_not_allowed' });
    },
  );

  describe('H4: an Origin that is not ours', () => {
    test.each([
      'https://evil.example',
      'null',
      'http://localhost:5173',
      'http://127.0.0.1',
      'http://localhost',
      'https://127.0.0.1:PORT',
      'http://127.0.0.1:PORT.evil.example',
      'http://127.0.0.1:PORT/',
      'http://a.localhost:PORT',
      'http://[::1]:PORT',
      'file://',
      'chrome-extension://abcdefghijklmnop',
      '',
    ])('"%s" is refused', async (origin) => {
      await expectServed(target(), { headers: [withPort('Origin: http://127.0.0.1:PORT')] });
      const bytes = await action([`Origin: ${origin}`]);
      await expectRefused(target(), bytes, { status: 403, code: 'origin_not_allowed' });
    });

    test('ours under the other name of the server is refused, since another program may have that name on [::1]', async () => {
      const names = ['127.0.0.1:PORT', 'localhost:PORT'].map(withPort);
      for (const host of names) {
        await expectServed(target(), { host, headers: [`Origin: http://${host}`] });
        const [other] = names.filter((name) => name !== host);
        const bytes = await action([`Origin: http://${other}`], host);
        await expectRefused(target(), bytes, { status: 403, code: 'origin_not_allowed' });
      }
    });

    test('ours and another one beside it are refused', async () => {
      const bytes = await action(['Origin: http://127.0.0.1:PORT', 'Origin: https://evil.example']);
      await expectRefused(target(), bytes, { status: 403, code: 'origin_not_allowed' });
    });
  });

  describe('H5: preflights', () => {
    const preflight = (headers: readonly string[]) =>
      requestText('OPTIONS /api/tee/actions', ['Host: 127.0.0.1:PORT', ...headers].map(withPort));
    const asked = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: content-type, x-user-id'];

    test.each(['https://evil.example', 'null', 'http://localhost:5173'])('one of %s is refused', async (origin) => {
      const bytes = preflight([`Origin: ${origin}`, ...asked]);
      await expectRefused(target(), bytes, { status: 403, code: 'origin_not_allowed' });
    });

    test.each(['Private-Network', 'Local-Network'])('one that asks for the %s is refused', async (what) => {
      const bytes = preflight(['Origin: https://evil.example', ...asked, `Access-Control-Request-${what}: true`]);
      await expectRefused(target(), bytes, { status: 403, code: 'origin_not_allowed' });
    });

    test('even our own Origin gets no allow header', async () => {
      await expectServed(target(), { headers: [withPort('Origin: http://127.0.0.1:PORT')] });
      const bytes = preflight(['Origin: http://127.0.0.1:PORT', ...asked]);
      await expectRefused(target(), bytes, { status: 403, code: 'cross_site_request' });
    });
  });

  describe('H6: a request that a browser says comes from another site', () => {
    test.each(['cross-site', 'same-site', 'Cross-Site', 'none, cross-site', 'elsewhere'])(
      '%s is refused',
      async (site) => {
        await expectServed(target(), { headers: ['Sec-Fetch-Site: same-origin'] });
        await expectServed(target(), { headers: ['Sec-Fetch-Site: none'] });
        const bytes = await action([`Sec-Fetch-Site: ${site}`]);
        await expectRefused(target(), bytes, { status: 403, code: 'cross_site_request' });
      },
    );
  });

  test('H12: no address but 127.0.0.1 has our port', async () => {
    await expectServed(target());
    const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    const others = new Set([...addresses.map(({ address }) => address), '::1', '127.0.0.2']);
    others.delete('127.0.0.1');
    for (const host of others) {
      const error = await connectionError(host, target().port);
      expect([host, error]).toEqual([host, expect.stringMatching(/^(?:ECONNREFUSED|EADDRNOTAVAIL|EINVAL)$/)]);
    }
  });

  test('what is refused at the perimeter is refused for paths nobody serves, too', async () => {
    const bytes = requestText('GET /%zz', ['Host: evil.example']);
    await expectRefused(target(), bytes, { status: 403, code: 'host_not_allowed' });
    expect((await sendRaw(target(), requestText('GET /nowhere', ['Host: evil.example']))).status).toBe(403);
  });
}

async function connectionError(host: string, port: number): Promise<string> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
}
