import { lookup } from 'node:dns/promises';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import type { NetworkHost } from '../../../src/contract/network-hosts.ts';
import { type ContactRefusal, type Contacts, MAX_CONTACTS } from '../../../src/contract/scripts.ts';

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

const MOST_CHARACTERS = 100;

/** Notes which hosts a script has reached and which it was refused, each once and in the order of the first time. */
export function createContacts() {
  const reached = new Set<string>();
  const refused = new Map<string, ContactRefusal>();
  let complete = true;
  const hasRoom = (size: number) => {
    if (size >= MAX_CONTACTS) complete = false;
    return size < MAX_CONTACTS;
  };
  return {
    reached(to: string): void {
      if (!reached.has(to) && hasRoom(reached.size)) reached.add(to);
    },
    /** `to` is a text of the script, so only its visible characters of ASCII are kept. */
    refused(to: string, why: ContactRefusal): void {
      const shown = to.slice(0, MOST_CHARACTERS).replaceAll(/[^\x21-\x7e]/gu, '?');
      if (!refused.has(shown) && hasRoom(refused.size)) refused.set(shown, why);
    },
    all: (): Contacts => ({
      reached: [...reached],
      refused: [...refused].map(([to, why]) => ({ to, why })),
      complete,
    }),
  };
}

/** Networks of IPv4 that are not the public internet: this machine, private and shared networks, tests, groups, the future. */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'], // guard E2-8
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];

/** The public addresses of IPv6; `NOT_PUBLIC_6` lists the networks among them that stand for IPv4 or are set aside. */
const PUBLIC_6 = '2000::/3';
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Whether an address is one of the public internet. False for this machine, its networks, and anything that is no address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !NOT_PUBLIC.check(address, 'ipv4');
    case 6:
      return PUBLIC.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
    default:
      return false;
  }
}

const NOT_PUBLIC = listOf([...NOT_PUBLIC_4, ...NOT_PUBLIC_6]);
const PUBLIC = listOf([PUBLIC_6]);

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

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
    if (!hosts.some((named) => named.host === host && named.ports.includes(port))) return 'not_named'; // guard X9-1
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
