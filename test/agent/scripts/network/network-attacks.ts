import { existsSync, readdirSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptsRig, ranWell } from '../rig.ts';

/**
 * Attacks by scripts that may reach one host, in the real sandbox and by the real proxy, as the user that runs this file. Prints as one line of
 * JSON what each of them got, and how often each server was reached. A test runs it as root and as an ordinary user.
 */
const hits: Record<string, number> = {};
const hostHeaders: unknown[] = [];

async function listening(server: Server, at: object): Promise<number> {
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** A server that no script may reach: it notes every connection. */
function forbidden(name: string): Server {
  hits[name] = 0;
  return createServer((socket) => {
    hits[name] = (hits[name] ?? 0) + 1;
    socket.end('HTTP/1.1 200 OK\r\n\r\nSECRET-ANSWER');
  });
}

const allowed = createHttpServer((asked, answer) => {
  hostHeaders.push(asked.headers.host);
  answer.end(`allowed ${asked.method} ${asked.url}`);
});
const port = await listening(allowed, { port: 0, host: '127.0.0.1' });
const rig = createScriptsRig({
  async addressesOf(host) {
    if (host === 'allowed.test') return ['127.0.0.1'];
    if (host === 'inside.test') return ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'];
    throw new Error(`${host} is unknown`);
  },
  mayReach: (address, to) => address === '127.0.0.1' && to === port,
});
const daemon = forbidden('the daemon');
const daemonPort = await listening(daemon, { port: 0, host: '127.0.0.1' });
const six = forbidden('IPv6');
const sixPort = await listening(six, { port: 0, host: '::1' }).catch(() => 1);
const agent = forbidden('the agent');
await listening(agent, { path: join(rig.root, 'agent.sock') });
const abstract = forbidden('an abstract socket');
await listening(abstract, { path: `\0outside-of-${process.pid}` });

const PRELUDE = `
import os, socket, subprocess, urllib.request
def raw(text, to=('127.0.0.1', 3128)):
    s = socket.create_connection(to, 3); s.settimeout(3); s.sendall(text.encode()); out = b''
    try:
        while True:
            piece = s.recv(4096)
            if not piece: break
            out += piece
    except TimeoutError: pass
    return out.decode().split('\\r\\n')[0] + (' SECRET' if b'SECRET' in out else '')
def tunnel(to): return raw('CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' % (to, to))
def plain(url): return raw('GET %s HTTP/1.1\\r\\nHost: allowed.test\\r\\nConnection: close\\r\\n\\r\\n' % url)
def direct(family, to):
    s = socket.socket(family); s.settimeout(2); s.connect(to); return 'connected'
def run(*command): return subprocess.run(command, check=True, capture_output=True, timeout=5).stdout.decode()
`;

const CONTROL = [
  `urllib.request.urlopen('http://allowed.test:${port}/a').read().decode()`,
  `run('curl', '-sSp', 'http://allowed.test:${port}/b')`,
  `plain('http://allowed.test:${port}/c')`,
];
const BY_PROXY = [
  ...['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'].flatMap(
    (host) => [`tunnel('${host}:${daemonPort}')`, `plain('http://${host}:${daemonPort}/')`],
  ),
  `tunnel('[::1]:${sixPort}')`,
  "tunnel('127.0.0.1:3001')",
  "tunnel('other.test:443')",
  "plain('http://other.test/')",
  `tunnel('inside.test:${daemonPort}')`,
  `plain('http://inside.test:${daemonPort}/')`,
  `tunnel('allowed.test:${daemonPort}')`,
  `tunnel('allowed.test:${port}@127.0.0.1:${daemonPort}')`,
  `tunnel('allowed.test.evil.test:${port}')`,
  `tunnel('xallowed.test:${port}')`,
  `plain('http://allowed.test:${port}@127.0.0.1:${daemonPort}/')`,
  "plain('file:///etc/passwd')",
  "plain('ftp://allowed.test/')",
  "plain('/etc/passwd')",
  `tunnel('unix:${rig.root}/agent.sock')`,
  "tunnel('169.254.169.254:80')",
];
const DIRECT = [
  `direct(socket.AF_INET, ('127.0.0.1', ${daemonPort}))`,
  `direct(socket.AF_INET, ('127.0.0.1', ${port}))`,
  "direct(socket.AF_INET, ('127.0.0.1', 3001))",
  "direct(socket.AF_INET, ('127.0.0.1', 6000))",
  "direct(socket.AF_INET, ('192.0.2.1', 80))",
  `direct(socket.AF_INET6, ('::1', ${sixPort}))`,
  `direct(socket.AF_UNIX, '${rig.root}/agent.sock')`,
  `direct(socket.AF_UNIX, '\\0outside-of-${process.pid}')`,
  "direct(socket.AF_UNIX, '/tmp/.X11-unix/X0')",
  "direct(socket.AF_UNIX, '\\0/tmp/.X11-unix/X0')",
  "direct(socket.AF_UNIX, '/run/dbus/system_bus_socket')",
  "socket.getaddrinfo('allowed.test', 80)",
  "urllib.request.urlopen('file:///etc/passwd').read()",
];

async function outcomesOf(expressions: readonly string[]) {
  const script = [
    PRELUDE,
    ...expressions.map((each) => `try: print(repr(${each}))\nexcept Exception as e: print(type(e).__name__)`),
  ].join('\n');
  const network = [`allowed.test:${port}`, `inside.test:${daemonPort}`];
  const result = ranWell(await rig.run(script, { interpreter: 'python', network }));
  const lines = result.stdout.trimEnd().split('\n');
  return { seen: expressions.map((each, index) => [each, lines[index]]), contacts: result.network };
}

const control = await outcomesOf(CONTROL);
const byProxy = await outcomesOf(BY_PROXY);
const direct = await outcomesOf(DIRECT);
for (const server of [allowed, daemon, six, agent, abstract]) server.close();
const ofThisProcess = (name: string) =>
  name.startsWith('handrail-proxy-') && existsSync(join(tmpdir(), name, 'socket'));
const left = readdirSync(tmpdir()).filter(ofThisProcess);
rig.remove();
const uid = process.geteuid?.();
process.stdout.write(`${JSON.stringify({ uid, port, control, byProxy, direct, hits, hostHeaders, left })}\n`);
