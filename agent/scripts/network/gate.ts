import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import type { NetworkHost } from '../../../src/contract/network-hosts.ts';
import type { ContactRefusal } from '../../../src/contract/scripts.ts';
import type { createContacts } from './contacts.ts';
import { isPublicAddress } from './public-address.ts';

/** The bounds of one run of a script. */
export const NETWORK_LIMITS = {
  connectionsAtOnce: 32,
  connections: 1_000,
  /** Bytes to and from hosts together. */
  bytes: 1024 ** 3 / 4,
  connectWithinMs: 10_000,
  idleMs: 60_000,
} as const;

export type Network = {
  hosts: readonly NetworkHost[];
  /** The addresses of a name; rejects when there are none. Tests answer for hosts of their own. */
  addressesOf?: (host: string) => Promise<readonly string[]>;
  /** Whether an address may be reached on a port. Tests let a server of their own through. */
  mayReach?: (address: string, port: number) => boolean;
  limits?: { [Name in keyof typeof NETWORK_LIMITS]: number };
};

type Target = { host: string; port: number };

/**
 * Opens connections to the named hosts, and to no other. A name is resolved here, once for each connection, and the connection goes to the
 * very address that was checked, so that a name which leads elsewhere a moment later changes nothing.
 */
export function createGate(
  { hosts, addressesOf = resolved, mayReach = isPublicAddress, limits = NETWORK_LIMITS }: Network,
  contacts: ReturnType<typeof createContacts>,
) {
  const open = new Set<Socket>();
  let connections = 0;
  let opening = 0;
  let bytes = 0;

  async function connected({ host, port }: Target): Promise<Socket | ContactRefusal> {
    if (!hosts.some((named) => named.host === host && named.ports.includes(port))) return 'not_named';
    const addresses = await addressesOf(host).catch(() => []);
    const [first] = addresses;
    if (first === undefined) return 'unknown_host';
    const address = addresses.find((one) => mayReach(one, port));
    if (address === undefined) return 'private_address';
    return (await socketTo({ address, port }, limits.connectWithinMs)) ?? 'unreachable';
  }

  function watch(socket: Socket): void {
    open.add(socket);
    socket.setTimeout(limits.idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  }

  return {
    /** A connection to a host, or the reason for which there is none. The contact is noted either way. */
    async connect(target: Target): Promise<Socket | ContactRefusal> {
      const to = `${target.host}:${target.port}`;
      const isFull = bytes > limits.bytes || open.size + opening >= limits.connectionsAtOnce;
      connections += 1;
      opening += 1;
      const result = isFull || connections > limits.connections ? 'limit' : await connected(target);
      opening -= 1;
      if (typeof result === 'string') contacts.refused(to, result);
      else {
        contacts.reached(to);
        watch(result);
      }
      return result;
    },
    /** Counts bytes of either direction, and ends every connection when there are too many. */
    count(length: number): void {
      bytes += length;
      if (bytes > limits.bytes) for (const socket of open) socket.destroy();
    },
    end(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

async function resolved(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function socketTo({ address, port }: { address: string; port: number }, withinMs: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, allowHalfOpen: true });
    const fail = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(withinMs, fail);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.removeListener('error', fail);
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      resolve(socket);
    });
  });
}
