import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NetworkHost, networkHost } from '../../../src/contract/network-hosts.ts';
import type { Contacts } from '../../../src/contract/scripts.ts';
import type { Network } from './gate.ts';
import { startProxy } from './proxy.ts';

/** The resolver, the rule for addresses and the limits; tests replace them. */
export type Internet = Omit<Network, 'hosts'>;

/** The caller calls `begun` once the sandbox has the socket. The socket's name outside is removed then, so an agent that crashes leaves none. */
export type WayOut = { proxySocket: string; begun(): void };

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
