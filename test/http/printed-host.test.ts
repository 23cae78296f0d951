import { expect } from 'vitest';
import { post } from './attacks/target.ts';
import { requestText, sendRaw } from './raw-http.ts';
import { startRig, test } from './rig.ts';

test.each(['GET /', 'HEAD /', 'GET /login', 'GET /assets/index.js'])(
  '%s under the name localhost leads to the page under 127.0.0.1, and nothing of it is kept',
  async (line) => {
    const rig = await startRig();
    const response = await sendRaw(rig, requestText(line, [`Host: localhost:${rig.port}`]));
    expect(response).toMatchObject({
      status: 302,
      headers: { location: `http://127.0.0.1:${rig.port}/`, 'cache-control': 'no-store' },
    });
    expect(rig.services.refusals).toEqual([]);
  },
);

test('/login leads to the page', async ({ rig }) => {
  const response = await sendRaw(rig, requestText('GET /login', [`Host: 127.0.0.1:${rig.port}`]));
  expect(response).toMatchObject({ status: 302, headers: { location: '/' } });
});

test('the console is refused under the name localhost, with the address to use: sign-in, reads and writes', async () => {
  const rig = await startRig();
  const host = `localhost:${rig.port}`;
  const own = [`Origin: http://${host}`];
  const code = JSON.stringify({ code: rig.services.oneUseCode });
  const attempts = [
    post(rig, '/api/console/session', { host, headers: own, body: code }),
    requestText('GET /api/console/confirmations', [`Host: ${host}`]),
    requestText('GET /api/console/events', [`Host: ${host}`]),
    requestText('GET /api/console/status', [`Host: ${host}`]),
    post(rig, '/api/console/pause', { host, headers: own, contentType: undefined }),
  ];
  for (const bytes of attempts) {
    const response = await sendRaw(rig, bytes);
    expect([response.status, JSON.parse(response.body)]).toMatchObject([
      403,
      { code: 'host_not_allowed', detail: expect.stringContaining(`answers under http://127.0.0.1:${rig.port} only`) },
    ]);
  }
  const headers = [`Origin: ${rig.url}`];
  const signedIn = await sendRaw(rig, post(rig, '/api/console/session', { headers, body: code }));
  expect(signedIn.status).toBe(200);
});

test('the rest of the interface is served under both names', async ({ rig }) => {
  for (const name of ['127.0.0.1', 'localhost']) {
    const headers = [`Host: ${name}:${rig.port}`, 'x-user-id: ann'];
    expect((await sendRaw(rig, requestText('GET /api/tee/devices', headers))).status).toBe(200);
  }
});
