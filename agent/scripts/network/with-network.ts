import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, Transform } from 'node:stream';
import { type NetworkHost, networkHost } from '../../../src/contract/network-hosts.ts';
import type { ContactRefusal, Contacts } from '../../../src/contract/scripts.ts';
import { createContacts, createGate, type Network } from './gate.ts';

/** The resolver, the rule for addresses and the limits; tests replace them. */
export type Internet = Omit<Network, 'hosts'>;

/** The caller calls `begun` once the sandbox has the socket. The socket's name outside is removed then, so an agent that crashes leaves none. */
export type WayOut = { proxySocket: string; begun(): void };

type Gate = ReturnType<typeof createGate>;
type Target = { host: string; port: number };

/** `port` is set where it listens on one. */
type Proxy = { port?: number; contacts(): Contacts; end(): Promise<void> };

/** Scripts of a Mac reach the proxy by a port that other programs see, too, so they have to name a password there. */
type Listening = { at: ListenOptions; password?: string };

/** Sockets of scripts that are open at once, with or without a request. */
const MOST_SOCKETS = 64;
const HIGHEST_PORT = 65_535;

/**
 * Starts an HTTP proxy that lets a script reach the named hosts, by tunnels (CONNECT) and by plain HTTP. It resolves the names. Rejects when it
 * cannot listen; `end` closes it with every connection.
 */
export async function startProxy(network: Network, { at, password }: Listening): Promise<Proxy> {
  const contacts = createContacts();
  const gate = createGate(network, contacts);
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 0 });
  const near = new Set<Socket>();
  const isWelcome = ({ headers }: IncomingMessage) =>
    password === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(`handrail:${password}`).toString('base64')}`;
  server.maxConnections = MOST_SOCKETS;
  server.on('connection', (socket) => {
    near.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => near.delete(socket));
  });
  server.on('connect', (asked, socket, head) => {
    if (isWelcome(asked)) tunnel({ gate, contacts, socket, head }, asked.url ?? '').catch(() => socket.destroy());
    else socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  server.on('request', (asked, answer) => {
    if (isWelcome(asked)) forward({ gate, contacts }, asked, answer).catch(() => answer.destroy());
    else answer.writeHead(407).end();
  });
  server.on('upgrade', (_asked, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
  const address = server.address();
  return {
    ...(address !== null && typeof address === 'object' && { port: address.port }),
    contacts: contacts.all,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        gate.end();
        for (const socket of near) socket.destroy();
      }),
  };
}

type Tunnel = { gate: Gate; contacts: ReturnType<typeof createContacts>; socket: Duplex; head: Buffer };

async function tunnel({ gate, contacts, socket, head }: Tunnel, authority: string): Promise<void> {
  socket.on('error', () => socket.destroy());
  const target = targetOf(authority);
  if (target === undefined) contacts.refused(authority, 'not_named');
  const far = target === undefined ? 'not_named' : await gate.connect(target);
  if (typeof far === 'string') {
    socket.end(`HTTP/1.1 ${statusOf(far)} Refused\r\nContent-Length: 0\r\nX-Handrail: ${far}\r\n\r\n`);
    return;
  }
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  far.write(head);
  gate.count(head.length);
  // The end of one direction leaves the other one open, as the end of a request leaves room for its answer.
  socket.pipe(counting(gate)).pipe(far);
  far.pipe(counting(gate)).pipe(socket);
  far.on('close', () => socket.destroy());
  socket.on('close', () => far.destroy());
}

async function forward(
  { gate, contacts }: Pick<Tunnel, 'gate' | 'contacts'>,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  asked.on('error', () => answer.destroy());
  const url = plainUrl(asked.url ?? '');
  if (url === undefined) {
    contacts.refused(asked.url ?? '', 'not_named');
    refuse(answer, 'not_named');
    return;
  }
  const far = await gate.connect({ host: url.hostname, port: Number(url.port || 80) });
  if (typeof far === 'string') {
    refuse(answer, far);
    return;
  }
  answer.on('close', () => far.destroy());
  const method = asked.method ?? 'GET';
  const sent = request({
    createConnection: () => far,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...endToEnd(asked), host: url.host, connection: 'close' },
  });
  sent.on('error', () => answer.destroy());
  sent.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, { ...endToEnd(response), connection: 'close' });
    response.on('error', () => answer.destroy());
    response.pipe(counting(gate)).pipe(answer);
  });
  asked.pipe(counting(gate)).pipe(sent);
}

function refuse(answer: ServerResponse, why: ContactRefusal): void {
  answer.writeHead(statusOf(why), { 'x-handrail': why, connection: 'close' }).end(`Handrail refused this: ${why}\n`);
}

function statusOf(why: ContactRefusal): number {
  return why === 'unreachable' || why === 'unknown_host' ? 502 : 403;
}

/** `host:port`; undefined for anything else, such as an address of IPv6. */
function targetOf(authority: string): Target | undefined {
  const [, host, port] = /^([a-z0-9.-]{1,253}):(\d{1,5})$/iu.exec(authority) ?? [];
  if (host === undefined || Number(port) > HIGHEST_PORT) return undefined;
  return { host: host.toLowerCase(), port: Number(port) };
}

function plainUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' && url.username === '' && url.password === '' ? url : undefined;
}

/** Headers for the proxy itself, and for one connection only. */
const OWN_HEADERS = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|host|proxy-.*)$/u;

function endToEnd({ headers }: IncomingMessage): Record<string, string | string[]> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/[\s,]+/u);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OWN_HEADERS.test(name) || named.includes(name) ? [] : [[name, value]],
    ),
  );
}

function counting(gate: Gate): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      gate.count(piece.length);
      done(null, piece);
    },
  });
}

/**
 * Runs a script that may reach the named hosts through the socket of a proxy. The proxy stops when the script ends. Without hosts
 * there is neither socket nor proxy. Throws when a host name is invalid or the proxy cannot start.
 */
export async function withNetwork<Run>(
  named: readonly string[],
  run: (wayOut?: WayOut) => Promise<Run>,
  internet: Internet = {},
): Promise<{ run: Run; contacts?: Contacts }> {
  if (named.length === 0) return { run: await run() };
  const hosts = hostsOf(named);
  // Only this user gets into the folder.
  const folder = mkdtempSync(join(tmpdir(), 'handrail-proxy-'));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'socket');
    const proxy = await startProxy({ ...internet, hosts }, { at: { path } });
    try {
      return { run: await run({ proxySocket: path, begun: forget }), contacts: proxy.contacts() };
    } finally {
      await proxy.end();
    }
  } finally {
    forget();
  }
}

type ProxyPort = { port: number; password: string };

/** The same through a port of this machine. Other programs can reach the port as well, so it wants a password that only the script has. */
export async function withProxyPort<Run>(
  named: readonly string[],
  run: (proxy?: ProxyPort) => Promise<Run>,
  internet: Internet = {},
): Promise<{ run: Run; contacts?: Contacts }> {
  if (named.length === 0) return { run: await run() };
  const password = randomBytes(24).toString('base64url');
  const proxy = await startProxy(
    { ...internet, hosts: hostsOf(named) },
    { at: { host: '127.0.0.1', port: 0 }, password },
  );
  try {
    return { run: await run({ port: proxy.port ?? 0, password }), contacts: proxy.contacts() };
  } finally {
    await proxy.end();
  }
}

function hostsOf(named: readonly string[]): NetworkHost[] {
  const hosts = named.map((text) => networkHost(text)).filter((host) => host !== undefined);
  if (hosts.length !== named.length) throw new Error('A host of the script is none.');
  return hosts;
}
