import { expect, onTestFinished } from 'vitest';
import { sessionIdFor } from '../../src/mcp/client-claim.ts';
import { startRig, test } from './rig.ts';
import { connectAgent, startWhole } from './whole-rig.ts';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const of2026 = (method: string, params: object = {}, name = 'probe') => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const headersOf2026 = (method: string, name?: string) => ({
  ...ACCEPT,
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

/** A message as it is sent, with the status and the text that come back. */
async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('both protocols list the tools', async ({ rig: { url } }) => {
  const old = await post(url, LIST);
  expect([old.status, old.text]).toEqual([200, expect.stringContaining('"wait_for_action"')]);
  const current = await post(url, of2026('tools/list'), headersOf2026('tools/list'));
  expect([current.status, current.text]).toEqual([200, expect.stringContaining('"wait_for_action"')]);
});

test('the list ends with the procedures of the requester who asks', async () => {
  const { url, services } = await startRig();
  const intent = { parameters: { type: 'object' }, targetDeviceId: 'dev_1', runsLeft: 1, until: '' };
  services.procedures.intents = (userId) => (userId === 'ann' ? [{ procedure: 'Report', ...intent }] : []);
  const listed = async (userId: string) => (await post(url, LIST, { 'x-user-id': userId })).text;
  expect(await listed('ann')).toMatch(/"list_devices".*"procedure_Report"/u);
  expect(await listed('bob')).not.toContain('procedure_Report');
});

test('M1: a page, a rebound name and another site are refused before the protocol sees them', async () => {
  const { url, services } = await startRig();
  expect((await post(url, LIST, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(url, LIST, { origin: 'null' })).status).toBe(403);
  expect((await post(url, LIST, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(services.refusals).toEqual(['origin_not_allowed', 'origin_not_allowed', 'cross_site_request']);
});

test.each([
  ['a batch', JSON.stringify([LIST, LIST]), 400],
  ['a body of 1 MiB and more', JSON.stringify({ ...LIST, params: { x: 'x'.repeat(1024 * 1024) } }), 413],
  [
    'deep nesting',
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`,
    400,
  ],
  ['no JSON', 'tools/list', 400],
  ['a key that aims at a prototype', '{"jsonrpc":"2.0","__proto__":{}}', 400],
])('M2: %s is refused', async (_, body, status) => {
  const { url } = await startRig();
  expect((await post(url, body)).status).toBe(status);
});

test('M2: a body that is not declared as JSON is refused', async ({ rig: { url } }) => {
  expect((await post(url, LIST, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('M3: an id that the person locked needs its key, from a header and from the name of a client', async () => {
  const { url, services } = await startRig();
  const isLocked = services.isGenuine;
  services.isGenuine = (userId, key) => (userId === 'mcp:probe' ? key === 'right' : isLocked(userId, key));
  const [message, headers] = [of2026('tools/list'), headersOf2026('tools/list')];
  expect((await post(url, message, headers)).status).toBe(401);
  expect((await post(url, LIST, { 'x-user-id': 'mcp:probe' })).status).toBe(401);
  expect((await post(url, LIST, { 'mcp-session-id': sessionIdFor({ name: 'probe' }) })).status).toBe(401);
  expect((await post(url, message, { ...headers, authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await post(url, message, { ...headers, authorization: 'Bearer right' })).status).toBe(200);
});

test('M4: a client is limited by its own name, and another is not', async () => {
  const { url } = await startRig({ rateLimits: 'on', limits: { writesPerMinute: { perUser: 3, inAll: 100 } } });
  const call = async (name: string) =>
    (await post(url, of2026('tools/list', {}, name), headersOf2026('tools/list'))).status;
  const statuses = [
    await call('loud'),
    await call('loud'),
    await call('loud'),
    await call('loud'),
    await call('quiet'),
  ];
  expect(statuses).toEqual([200, 200, 200, 429, 200]);
  const session = { 'mcp-session-id': sessionIdFor({ name: 'loud' }) };
  expect((await post(url, LIST, session)).status).toBe(429);
  expect((await post(url, LIST, { 'x-user-id': 'mcp:loud' })).status).toBe(429);
});

test('M4: a call beyond the places of one user is answered at once', async () => {
  const { url } = await startRig({ rateLimits: 'on', limits: { heldByDefault: { perUser: 0, inAll: 0 } } });
  const call = of2026('tools/call', { name: 'open_app', arguments: { appName: 'Notes' } });
  const { status, text } = await post(url, call, headersOf2026('tools/call', 'open_app'));
  expect([status, text]).toEqual([200, expect.stringContaining('awaiting_confirmation')]);
});

test('a wrong user id is refused, and a stream of subscriptions is not opened', async ({ rig: { url } }) => {
  expect((await post(url, LIST, { 'x-user-id': '../ann' })).status).toBe(400);
  const listen = of2026('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const { text } = await post(url, listen, headersOf2026('subscriptions/listen'));
  expect(text).toContain('error');
  expect(text).not.toContain('acknowledged');
});

test('initialize answers a session id, which says for whom later messages are', async ({ rig: { url } }) => {
  const clientInfo = { name: 'Old Client', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const { headers, text } = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
  expect(text).toContain('"protocolVersion":"2025-06-18"');
  const session = { 'mcp-session-id': String(headers.get('mcp-session-id')) };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe_screen', arguments: {} } };
  await post(url, call, session);
  const devices = await fetch(`${url}/api/tee/devices`, { headers: { 'x-user-id': 'mcp:Old-Client' } });
  expect(await devices.json()).toMatchObject({ items: [{ name: 'This computer', ownerId: 'mcp:Old-Client' }] });
});

test.each(['GET', 'DELETE'])('%s says that messages are posted, and is no attempt', async (method) => {
  const { url, services } = await startRig();
  const response = await fetch(`${url}/mcp`, { method, headers: { accept: 'text/event-stream' } });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  expect(services.refusals).toEqual([]);
});

test('each answer has the daemon’s own headers, and none that the protocol’s package made up', async () => {
  const { url } = await startRig();
  const { headers } = await post(url, LIST);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('x-accel-buffering')).toBeNull();
});

test('M5: a client that hangs up while it waits withdraws its prompt', async () => {
  const rig = await startWhole();
  await connectAgent(rig);
  const prompts = () => rig.services.console.confirmations.list();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const call = of2026('tools/call', { name: 'take_screenshot', arguments: {} });
  const answer = fetch(`${rig.url}/mcp`, {
    method: 'POST',
    headers: headersOf2026('tools/call', 'take_screenshot'),
    body: JSON.stringify(call),
    signal: controller.signal,
  });
  answer.catch(() => undefined);
  await expect.poll(prompts).toHaveLength(1);
  controller.abort();
  await expect.poll(prompts).toEqual([]);
});

test('M5: a client of 2025 calls off its own request, and not that of another session', async () => {
  const rig = await startWhole();
  await connectAgent(rig);
  const prompts = () => rig.services.console.confirmations.list();
  const session = { 'mcp-session-id': sessionIdFor({ name: 'old' }) };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'take_screenshot', arguments: {} } };
  const answer = post(rig.url, call, session);
  await expect.poll(prompts).toHaveLength(1);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  await post(rig.url, cancel, { 'mcp-session-id': sessionIdFor({ name: 'old' }) });
  await post(rig.url, cancel);
  expect(prompts()).toHaveLength(1);
  expect((await post(rig.url, cancel, session)).status).toBe(202);
  await answer;
  expect(prompts()).toEqual([]);
});
