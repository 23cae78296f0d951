import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createContacts,
  createGate,
  isPublicAddress,
  NETWORK_LIMITS,
  type Network,
} from '../../../../agent/scripts/network/gate.ts';
import { type Internet, startProxy } from '../../../../agent/scripts/network/with-network.ts';
import { MAX_CONTACTS } from '../../../../src/contract/scripts.ts';
import { PATIENCE } from '../../../runner/patience.ts';
import { createScriptsRig, ranWell } from '../rig.ts';

let server: Server;
let port: number;
let sockets: Set<Socket>;
let connections: number;

beforeEach(async () => {
  sockets = new Set();
  connections = 0;
  server = createServer((asked, answer) => {
    if (asked.url === '/moved') answer.writeHead(302, { location: 'http://127.0.0.1:3001/api' }).end();
    else if (asked.url === '/endless') setInterval(() => answer.write(Buffer.alloc(65_536)), 5).unref();
    else if (asked.method === 'POST') asked.pipe(answer);
    else answer.end('hello');
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const toServer = (more: Partial<Internet> = {}): Internet => ({
  addressesOf: async () => ['127.0.0.1'],
  mayReach: (_address, to) => to === port,
  ...more,
});
const named = () => [{ host: 'allowed.test', ports: [port] }];

function rigToServer(internet = toServer()) {
  const rig = createScriptsRig(internet);
  onTestFinished(rig.remove);
  return rig;
}

function gateOf(more: Partial<Network>) {
  const contacts = createContacts();
  return { contacts, gate: createGate({ ...toServer(), hosts: named(), ...more }, contacts) };
}

test.each<[string, boolean]>([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1'].map(
    (address): [string, boolean] => [address, false],
  ),
  ...['0.0.0.0', '192.0.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', 'x', ''].map(
    (address): [string, boolean] => [address, false],
  ),
  ...['::1', '::', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', 'fd00::1', 'ff02::1'].map(
    (address): [string, boolean] => [address, false],
  ),
  ...['2002:7f00:1::', '2001::1', '2001:db8::1'].map((address): [string, boolean] => [address, false]),
  ...['172.15.255.255', '172.32.0.0', '100.63.255.255'].map((address): [string, boolean] => [address, true]),
])('the address %s is of the public internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

describe('X9: a name that leads elsewhere', () => {
  test('is resolved once for a connection, and the connection goes to the address that was checked', async () => {
    const addressesOf = vi.fn(async () => ['10.0.0.1', '127.0.0.1']);
    const checked: string[] = [];
    const { gate } = gateOf({
      addressesOf,
      mayReach(address) {
        checked.push(address);
        return address === '127.0.0.1';
      },
    });
    const socket = await gate.connect({ host: 'allowed.test', port });
    expect(typeof socket === 'string' ? socket : socket.remoteAddress).toBe('127.0.0.1');
    expect([addressesOf.mock.calls, checked]).toEqual([[['allowed.test']], ['10.0.0.1', '127.0.0.1']]);
    gate.end();
  });

  test('at its next connection is refused there', async () => {
    const answers = [['127.0.0.1'], ['192.168.1.1'], []];
    const { gate, contacts } = gateOf({
      addressesOf: async () => answers.shift() ?? [],
      mayReach: (address) => address === '127.0.0.1',
    });
    const target = { host: 'allowed.test', port };
    expect(typeof (await gate.connect(target))).toBe('object');
    expect([await gate.connect(target), await gate.connect(target)]).toEqual(['private_address', 'unknown_host']);
    expect(contacts.all()).toMatchObject({ reached: [`allowed.test:${port}`] });
    gate.end();
  });

  test('without a test in between: a loopback address is refused by the rule that counts in the product', async () => {
    const contacts = createContacts();
    const gate = createGate({ hosts: named(), addressesOf: async () => ['127.0.0.1', '::1'] }, contacts);
    expect(await gate.connect({ host: 'allowed.test', port })).toBe('private_address');
    expect(connections).toBe(0);
  });
});

describe('the bounds of a run', () => {
  const limits = (more: Partial<Network['limits']>) => ({ ...NETWORK_LIMITS, ...more });

  test('connections at once and in all', async () => {
    const target = { host: 'allowed.test', port };
    const { gate } = gateOf({ limits: limits({ connectionsAtOnce: 1, connections: 2 }) });
    const [first, second] = await Promise.all([gate.connect(target), gate.connect(target)]);
    expect([typeof first, second]).toEqual(['object', 'limit']);
    gate.end();
    await vi.waitFor(() => expect(sockets.size).toBe(0), PATIENCE);
    expect(await gate.connect(target)).toBe('limit');
  });

  test('bytes: the connection ends, and there is no other one', async () => {
    const rig = rigToServer(toServer({ limits: limits({ bytes: 1_000_000 }) }));
    const url = `http://allowed.test:${port}`;
    const script = `curl -sS ${url}/endless | wc -c; curl -s -o /dev/null -w '%{http_code}' ${url}/`;
    const { stdout, network } = ranWell(await rig.run(script, { network: [`allowed.test:${port}`] }));
    const [bytes, status] = stdout.split('\n');
    expect(Number(bytes)).toBeLessThan(1_200_000);
    expect([status, network]).toEqual([
      '403',
      {
        reached: [`allowed.test:${port}`],
        refused: [{ to: `allowed.test:${port}`, why: 'limit' }],
        complete: true,
      },
    ]);
  });

  test('an idle connection is ended', async () => {
    const { gate } = gateOf({ limits: limits({ idleMs: 50 }) });
    const socket = await gate.connect({ host: 'allowed.test', port });
    if (typeof socket === 'string') throw new Error(socket);
    await once(socket, 'close');
  });

  test('the list of contacts, whose texts are visible characters only', () => {
    const contacts = createContacts();
    contacts.refused('a\u202e\n b', 'not_named');
    for (let index = 0; index < MAX_CONTACTS + 5; index += 1) contacts.refused(`${index}.test:1`, 'not_named');
    const { refused, complete } = contacts.all();
    expect([refused.length, refused[0], complete]).toEqual([MAX_CONTACTS, { to: 'a???b', why: 'not_named' }, false]);
  });

  test.each([
    [16_000, ['HTTP/1.1 403 Forbidden']],
    [17_000, []],
  ])('the headers of a request: of %i bytes they are answered with %j', async (bytes, lines) => {
    const proxy = await startProxy({ ...toServer(), hosts: [] }, { at: { host: '127.0.0.1', port: 0 } });
    const socket = connect({ host: '127.0.0.1', port: proxy.port ?? 0 });
    const head = 'GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\nX-Long: ';
    socket.write(`${head.padEnd(bytes - 4, 'x')}\r\n\r\n`);
    // The proxy ends the connection with bytes unread, which the client may see as a reset.
    const answer = await text(socket).catch(() => '');
    const [first = ''] = answer.split('\r\n');
    expect(first === '' ? [] : [first]).toEqual(lines);
    await proxy.end();
  });
});

test('a redirection to a host that is not named is refused', async () => {
  const rig = rigToServer();
  const script = `curl -sSL http://allowed.test:${port}/moved`;
  const { stdout, network } = ranWell(await rig.run(script, { network: [`allowed.test:${port}`] }));
  expect([stdout, network?.refused]).toEqual([
    'Handrail refused this: not_named\n',
    [{ to: '127.0.0.1:3001', why: 'not_named' }],
  ]);
});

test('a large body comes back whole, by plain HTTP and by a tunnel', async () => {
  const rig = rigToServer();
  const url = `http://allowed.test:${port}/echo`;
  const script = `head -c 3000000 /dev/urandom > body
    curl -sS --data-binary @body ${url} | cmp - body && curl -sSp --data-binary @body ${url} | cmp - body && echo same`;
  expect(ranWell(await rig.run(script, { network: [`allowed.test:${port}`] })).stdout).toBe('same\n');
});

/** Where the folders of this test's proxies are: tests in other workers start proxies, too. */
function useOwnTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-tmp-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('the end of the script ends its connections and the socket of the proxy, also where a process forks away', async () => {
  const rig = rigToServer();
  const folder = useOwnTemporaryFolder();
  const script = `(setsid curl -sSo got http://allowed.test:${port}/endless >/dev/null 2>&1 &)
    while [ ! -s got ]; do sleep 0.02; done`;
  expect(ranWell(await rig.run(script, { network: [`allowed.test:${port}`] })).network?.reached).toHaveLength(1);
  await vi.waitFor(() => expect(sockets.size).toBe(0), PATIENCE);
  expect(readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/socket`))).toEqual([]);
});

test('the socket of the proxy has no name any program could open once the script has begun', async () => {
  const rig = rigToServer();
  const folder = useOwnTemporaryFolder();
  const madeAtMs = statSync(folder).mtimeMs;
  const script = `touch begun; while [ ! -e go ]; do sleep 0.02; done; curl -sS http://allowed.test:${port}/`;
  const run = rig.run(script, { network: [`allowed.test:${port}`] });
  await vi.waitFor(() => expect(rig.has('work/begun')).toBe(true), PATIENCE);
  // The agent removes the name when it hears that the sandbox has the socket. On a busy machine the script runs a moment before that.
  await vi.waitFor(
    () => expect(readdirSync(folder).filter((name) => name.startsWith('handrail-proxy-'))).toEqual([]),
    PATIENCE,
  );
  // Something was there, and is gone.
  expect(statSync(folder).mtimeMs).toBeGreaterThan(madeAtMs);
  rig.write('work/go', '');
  expect(ranWell(await run).stdout).toBe('hello');
});

test('a script that is stopped ends its connections, too', async () => {
  const rig = rigToServer();
  const controller = new AbortController();
  const script = `curl -sS http://allowed.test:${port}/endless > /dev/null`;
  const run = rig.run(script, { network: [`allowed.test:${port}`] }, { signal: controller.signal });
  await vi.waitFor(() => expect(sockets.size).toBe(1), PATIENCE);
  controller.abort('user');
  expect(await run).toMatchObject({ ok: false, sideEffect: 'unknown' });
  await vi.waitFor(() => expect(sockets.size).toBe(0), PATIENCE);
});

test('the exit code and the signal of a script with a network are its own', async () => {
  const rig = rigToServer();
  const network = [`allowed.test:${port}`];
  expect(ranWell(await rig.run('exit 7', { network })).exitCode).toBe(7);
  expect(ranWell(await rig.run('kill -SEGV $$', { network }))).toMatchObject({ exitCode: 139, signal: 'SIGSEGV' });
});

test('a proxy with a password answers no program without it', async () => {
  const proxy = await startProxy(
    { ...toServer(), hosts: named() },
    { at: { host: '127.0.0.1', port: 0 }, password: 'p' },
  );
  const { request } = await import('node:http');
  const statusWith = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      const path = `http://allowed.test:${port}/`;
      request({ host: '127.0.0.1', port: proxy.port, path, headers }, ({ statusCode }) => resolve(statusCode)).end();
    });
  const basic = (text: string) => ({ 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` });
  expect([await statusWith({}), await statusWith(basic('handrail:q')), await statusWith(basic('handrail:p'))]).toEqual([
    407, 407, 200,
  ]);
  await proxy.end();
});
