import { expect } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { StorageUnavailable } from '../../src/store/database/database.ts';
import { post } from './attacks/target.ts';
import { requestText, sendRaw } from './raw-http.ts';
import { REGISTRATION, startRig, test } from './rig.ts';
import { knowsNoProgram, servesEverybody } from './serves-everybody.ts';

test('health is answered under both names of the server, with every security header', async ({ rig }) => {
  for (const name of ['127.0.0.1', 'localhost']) {
    const response = await sendRaw(rig, requestText('GET /health', [`Host: ${name}:${rig.port}`]));
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toMatchObject({ status: 'ok', service: 'handrail' });
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(response.headers).not.toHaveProperty('server');
  }
});

test('a foreign Host gets a problem with all its members, and is counted', async ({ rig }) => {
  const response = await sendRaw(rig, requestText('GET /health', ['Host: evil.example']));
  const requestId = response.headers['x-request-id'];
  expect(response.headers['content-type']).toBe('application/problem+json');
  expect(JSON.parse(response.body)).toEqual({
    type: 'urn:handrail:problem:host_not_allowed',
    title: 'Host not allowed',
    status: 403,
    detail: `Host 127.0.0.1:${rig.port} or localhost:${rig.port} is expected, "evil.example" came.`,
    instance: `urn:uuid:${requestId}`,
    code: 'host_not_allowed',
  });
  expect(rig.services.refusals).toEqual(['host_not_allowed']);
});

test('an offer of h2c, as curl and Java make it with every call, is passed over, and the call is served', async () => {
  const rig = await startRig();
  const headers = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
  const read = await sendRaw(rig, requestText('GET /health', [`Host: 127.0.0.1:${rig.port}`, ...headers]));
  const body = JSON.stringify(REGISTRATION);
  const write = await sendRaw(rig, post(rig, '/api/tee/devices/register', { userId: 'ann', body, headers }));
  expect([read.status, write.status]).toEqual([200, 201]);
  expect(JSON.parse(write.body)).toMatchObject({ ownerId: 'ann' });
  expect(rig.services.refusals).toEqual([]);
});

test('an offer of h2c is no way around the perimeter', async ({ rig }) => {
  const headers = ['Host: evil.example', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'];
  const response = await sendRaw(rig, requestText('GET /health', headers));
  expect([response.status, rig.services.refusals]).toEqual([403, ['host_not_allowed']]);
});

test('an unexpected failure inside says nothing to the caller, and tells the log', async ({ rig }) => {
  rig.services.failNextHealth(new Error('secret in /var/lib'));
  const response = await sendRaw(rig, requestText('GET /health', [`Host: 127.0.0.1:${rig.port}`]));
  expect(response.status).toBe(500);
  expect(JSON.parse(response.body)).toMatchObject({ code: 'internal_error' });
  expect(response.text).not.toContain('secret');
  expect(rig.logged).toHaveLength(1);
});

test('a change that the storage does not take is refused, to be tried again in five seconds', async ({ rig }) => {
  rig.services.failNextHealth(new StorageUnavailable('the disk is full'));
  const response = await fetch(`${rig.url}/health`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ code: 'storage_unavailable' });
});

test('a taken port is an error that names the port', async ({ rig }) => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const agentDoor = { admit: () => 'invalid' as const, attach: () => undefined };
  const second = await createHttpServer({
    services: rig.services,
    agentDoor,
    peerGate: servesEverybody,
    findProgram: knowsNoProgram,
    rateLimits: 'on',
    log,
  });
  await expect(listen(second, rig.port)).rejects.toThrow(`Port ${rig.port} on 127.0.0.1 is taken.`);
  await second.close();
});

test('a port is taken when somebody answers on it, even where the system would let a second program listen', async () => {
  const rig = await startRig();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const agentDoor = { admit: () => 'invalid' as const, attach: () => undefined };
  const second = await createHttpServer({
    services: rig.services,
    agentDoor,
    peerGate: servesEverybody,
    findProgram: knowsNoProgram,
    rateLimits: 'on',
    log,
  });
  let listened = 0;
  // macOS lets a program listen on 127.0.0.1 beside one that listens on all addresses.
  const permissive = Object.assign(second, {
    listen: async () => {
      listened += 1;
      return '';
    },
  });
  await expect(listen(permissive, rig.port)).rejects.toThrow(`Port ${rig.port} on 127.0.0.1 is taken.`);
  expect(listened).toBe(0);
  await second.close();
});
