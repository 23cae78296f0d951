import { describe, expect, test } from 'vitest';
import { requestText, sendRaw } from '../raw-http.ts';
import { expectRefused, get, type Target } from './target.ts';

const PATH = '/api/tee/agent';
const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

export type UpgradeOptions = {
  path?: string;
  host?: string;
  headers?: readonly string[];
  handshake?: readonly string[];
};

export function upgradeText(
  target: Target,
  { path = PATH, host, headers = [], handshake = HANDSHAKE }: UpgradeOptions,
) {
  return requestText(`GET ${path}`, [`Host: ${host ?? `127.0.0.1:${target.port}`}`, ...handshake, ...headers]);
}

/** Row W1. `liveToken` gives a token that would let an agent in, and takes part in every attack but those on it. */
export function agentSocketAttacks(target: () => Target, liveToken: () => string | Promise<string>): void {
  const refused = async (options: UpgradeOptions, expected: Parameters<typeof expectRefused>[2]) => {
    const response = await expectRefused(target(), upgradeText(target(), options), expected);
    expect(response.closed).toBe(true);
    return response;
  };
  const bearer = async () => `Authorization: Bearer ${await liveToken()}`;

  describe('W1: the agent socket', () => {
    test.each(['https://evil.example', 'null', 'http://localhost:5173', 'http://127.0.0.1:PORT'])(
      'a token beside the Origin %s is refused',
      async (origin) => {
        const headers = [await bearer(), `Origin: ${origin.replace('PORT', String(target().port))}`];
        await refused({ headers }, { status: 403, code: 'origin_not_allowed' });
      },
    );

    test('a token under a foreign Host is refused', async () => {
      const options = { host: 'evil.example', headers: [await bearer()] };
      await refused(options, { status: 403, code: 'host_not_allowed' });
    });

    test('a token from another site is refused', async () => {
      const headers = [await bearer(), 'Sec-Fetch-Site: cross-site'];
      await refused({ headers }, { status: 403, code: 'cross_site_request' });
    });

    test.each([
      ['none', []],
      ['a wrong one', ['Authorization: Bearer wrong']],
      ['an empty one', ['Authorization: Bearer ']],
      ['another scheme', ['Authorization: Basic d3Jvbmc6']],
    ])('as a token, %s is refused', async (_what, headers) => {
      await refused({ headers }, { status: 401, code: 'agent_token_invalid' });
    });

    test('a token in the query is refused', async () => {
      const path = `${PATH}?token=${encodeURIComponent(await liveToken())}`;
      await refused({ path }, { status: 401, code: 'agent_token_invalid' });
    });

    test.each(['/health', '/api/tee/actions', '/api/tee/agent/', '/nowhere', '/'])(
      'an upgrade of %s is refused',
      async (path) => {
        await refused({ path, headers: [await bearer()] }, { status: 400, code: 'upgrade_not_supported' });
      },
    );

    test.each(['/%zz', '/api/tee/%61gent%2f', '//api/tee/agent'])(
      'an upgrade of the bad path %s is refused',
      async (path) => {
        await refused({ path, headers: [await bearer()] }, { status: 400, code: 'bad_url' });
      },
    );

    test('a plain GET is told what to upgrade to', async () => {
      const response = await expectRefused(target(), get(target(), PATH), { status: 426, code: 'upgrade_required' });
      expect(response.headers.upgrade).toBe('websocket');
    });

    test('another protocol is told what to upgrade to', async () => {
      const handshake = ['Connection: Upgrade', 'Upgrade: h2c'];
      const bytes = upgradeText(target(), { handshake, headers: [await bearer()] });
      const response = await expectRefused(target(), bytes, { status: 426, code: 'upgrade_required' });
      expect(response.headers.upgrade).toBe('websocket');
    });

    test('another version of the protocol is told which one', async () => {
      const handshake = HANDSHAKE.map((line) => line.replace('13', '8'));
      const response = await refused(
        { handshake, headers: [await bearer()] },
        { status: 426, code: 'upgrade_required' },
      );
      expect(response.headers['sec-websocket-version']).toBe('13');
    });

    test('a handshake without a key is refused', async () => {
      const handshake = HANDSHAKE.filter((line) => !line.includes('Key'));
      await refused({ handshake, headers: [await bearer()] }, { status: 400, code: 'bad_request' });
    });
  });
}

/** The rest of row W1, which uses the token up: the positive control, a second agent, and the token again. */
export function agentAdmissionAttacks(target: () => Target, liveToken: () => string | Promise<string>): void {
  test('W1: one agent is let in by its token, a second one and the same token again are not', async () => {
    const headers = [`Authorization: Bearer ${await liveToken()}`];
    const bytes = upgradeText(target(), { headers });
    const admitted = await sendRaw(target(), bytes);
    expect(admitted.status).toBe(101);
    const again = await sendRaw(target(), bytes);
    expect([401, 409]).toContain(again.status);
    expect(['agent_token_invalid', 'agent_already_connected']).toContain(JSON.parse(again.body).code);
  });
}
