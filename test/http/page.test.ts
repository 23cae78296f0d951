import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requestText, sendRaw } from './raw-http.ts';
import { startRig } from './rig.ts';

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function makePage(): string {
  const folder = makeFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Handrail</title>');
  writeFileSync(join(folder, 'assets/index-1a2b3c.js'), 'export {};');
  writeFileSync(join(folder, 'assets/index-1a2b3c.css'), 'body{}');
  writeFileSync(join(folder, 'secret.txt'), 'not an asset');
  return folder;
}

const text = (body: unknown) => (body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body));

test('the page is at /, is never kept, and runs nothing inline', async () => {
  const rig = await startRig({ pageFolder: makePage() });
  const { status, headers, body } = await rig.call('GET /');
  expect({ status, body: text(body) }).toEqual({ status: 200, body: '<!doctype html><title>Handrail</title>' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': PAGE_POLICY,
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

test.each([
  ['scripts', 'js', 'export {};', 'application/javascript'],
  ['styles', 'css', 'body{}', 'text/css'],
])('its %s may be kept for ever', async (_what, ending, contents, type) => {
  const rig = await startRig({ pageFolder: makePage() });
  const { status, headers, body } = await rig.call(`GET /assets/index-1a2b3c.${ending}`);
  expect({ status, body: text(body) }).toEqual({ status: 200, body: contents });
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'content-type': `${type}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  });
});

test('a script goes out compressed to a browser that takes it so, and plain to others', async () => {
  const folder = makePage();
  const script = `export const words = [${'"the same words again", '.repeat(500)}];`;
  writeFileSync(join(folder, 'assets/page-4d5e6f.js'), script);
  const rig = await startRig({ pageFolder: folder });
  const ask = (encoding: string) =>
    rig.call('GET /assets/page-4d5e6f.js', { headers: { 'accept-encoding': encoding } });
  for (const encoding of ['gzip, deflate, br, zstd', 'gzip;q=0.5']) {
    const { headers, body } = await ask(encoding);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('vary')).toBe('accept-encoding');
    expect(text(body)).toBe(script);
  }
  for (const encoding of ['identity', 'br', 'gzip;q=0']) {
    const { headers, body } = await ask(encoding);
    expect(headers.get('content-encoding')).toBeNull();
    expect(text(body)).toBe(script);
  }
});

test('a script is read once; one that is not there yet is looked for again', async () => {
  const folder = makePage();
  const rig = await startRig({ pageFolder: folder });
  expect((await rig.call('GET /assets/later-1a.js')).status).toBe(404);
  writeFileSync(join(folder, 'assets/later-1a.js'), 'export {};');
  expect((await rig.call('GET /assets/later-1a.js')).status).toBe(200);
  rmSync(join(folder, 'assets'), { recursive: true });
  expect((await rig.call('GET /assets/later-1a.js')).status).toBe(200);
});

test.each(['/assets/none.js', '/assets/..%2fsecret.txt', '/secret.txt', '/index.html', '/assets/'])(
  'nothing else of the folder is served: %s',
  async (path) => {
    const rig = await startRig({ pageFolder: makePage() });
    const { status, headers, body } = await rig.call(`GET ${path}`);
    expect({ status, body }).toMatchObject({
      status: path.includes('%') ? 400 : 404,
      body: { code: expect.stringMatching(/^(not_found|bad_url)$/) },
    });
    expect(headers.get('cache-control')).toBe('no-store');
  },
);

const BROWSER = 'accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

/** A request with these headers and no others, as `fetch` would add some. */
async function ask(line: string, headers: readonly string[]) {
  const { url } = await startRig({ pageFolder: makePage() });
  const { hostname, port } = new URL(url);
  const address = { host: hostname, port: Number(port) };
  return sendRaw(address, requestText(line, [`host: ${hostname}:${port}`, ...headers]));
}

test.each([
  ['/activity', '/#/activity'],
  ['/activity/act_01JZ6M6E7K3V4S8T9W0X1Y2Z3A', '/#/activity/act_01JZ6M6E7K3V4S8T9W0X1Y2Z3A'],
  ['/activity?status=denied', '/#/activity?status=denied'],
  ['/activity/?status=denied', '/#/activity?status=denied'],
  ['/overview', '/#/overview'],
  ['/insights', '/#/insights'],
  ['/access', '/#/access'],
  ['/people', '/#/people'],
  ['/devices', '/#/devices'],
  ['/settings', '/#/settings'],
])('%s, typed into the address bar, leads to %s', async (path, place) => {
  for (const headers of [[BROWSER], [BROWSER, 'sec-fetch-mode: navigate', 'sec-fetch-site: none']]) {
    expect(await ask(`GET ${path}`, headers)).toMatchObject({
      status: 302,
      headers: { location: place, 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
    });
  }
});

test.each([
  ['a program', 'GET /activity', ['accept: application/json']],
  ['a program that takes anything', 'GET /activity', ['accept: */*']],
  ['a program that says nothing', 'GET /activity', []],
  ['a script of the page', 'GET /activity', [BROWSER, 'sec-fetch-mode: cors']],
  ['a person, at a page that is not there,', 'GET /nothing', [BROWSER]],
  ['a person, further down,', 'GET /activity/one/two', [BROWSER]],
  ['a person, at the API,', 'GET /api/console/nothing', [BROWSER]],
])('%s gets a problem, not the page', async (_who, line, headers) => {
  const { status, body } = await ask(line, headers);
  expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 404, code: 'not_found' });
});

test('`/metrics` is for Prometheus, whoever asks', async () => {
  expect(await ask('GET /metrics', [BROWSER])).toMatchObject({
    status: 200,
    headers: { 'content-type': expect.stringContaining('text/plain') },
  });
});

test('the page can only be read', async () => {
  const rig = await startRig({ pageFolder: makePage() });
  for (const path of ['/', '/activity']) {
    const { status, headers } = await rig.call(`POST ${path}`, { body: {} });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  }
});

test('a page that is not built says how to build it', async () => {
  const rig = await startRig({ pageFolder: makeFolder() });
  const { status, headers, body } = await rig.call('GET /');
  expect({ status, body: text(body) }).toMatchObject({ status: 503, body: expect.stringContaining('npm run build') });
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('the page opens while others have used up every read', async () => {
  const limits = { readsPerMinute: { perUser: 1, inAll: 1 } };
  const rig = await startRig({ pageFolder: makePage(), rateLimits: 'on', limits });
  await rig.call('GET /openapi.json');
  expect(await rig.call('GET /openapi.json')).toMatchObject({ status: 429 });
  expect(await rig.call('GET /')).toMatchObject({ status: 200 });
  expect(await rig.call('GET /assets/index-1a2b3c.js')).toMatchObject({ status: 200 });
});
