import { type Exchange, openSocketDiagnostics } from './netlink.ts';
import type { End } from './peer.ts';
import type { SocketRow } from './socket-table.ts';

/** The TCP socket with these ends, as one of its own processes sees them; nothing where there is none, or the kernel does not tell. */
export type FindSocket = (ends: Ends) => SocketRow | undefined;

type Ends = { own: End; other: End };

/** Looks up single sockets, unlike the kernel's table of sockets, for which it goes through all of its memory for sockets. */
export function createFindSocket(exchange: Exchange | undefined = openSocketDiagnostics()): FindSocket | undefined {
  if (exchange === undefined) return undefined;
  let sequence = 0;
  return (ends) => {
    if (!isIpv4(ends.own) || !isIpv4(ends.other)) return undefined;
    sequence = (sequence + 1) % 2 ** 32;
    const answer = exchange(requestFor(ends, sequence));
    return answer && rowIn(answer, ends, sequence);
  };
}

const HEADER_BYTES = 16;
const REQUEST_BYTES = HEADER_BYTES + 56;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 1;
const AF_INET = 2;
const IPPROTO_TCP = 6;
const ALL_STATES = 0xff_ff_ff_ff;
const NO_COOKIE = 0xff_ff_ff_ff;
const LISTEN = 10;

/** Where things are in `struct inet_diag_req_v2` and `struct inet_diag_msg` (linux/inet_diag.h), with the header before them. */
const AT = { length: 0, type: 4, flags: 6, sequence: 8, family: 16, protocol: 17, states: 20 };
const AT_REQUEST = { ownPort: 24, otherPort: 26, own: 28, other: 44, cookie: 64 };
const AT_ANSWER = { state: 17, ownPort: 20, otherPort: 22, own: 24, other: 40, uid: 80, inode: 84 };
const ANSWER_BYTES = 88;

function requestFor({ own, other }: Ends, sequence: number): Buffer {
  const request = Buffer.alloc(REQUEST_BYTES);
  request.writeUInt32LE(REQUEST_BYTES, AT.length);
  request.writeUInt16LE(SOCK_DIAG_BY_FAMILY, AT.type);
  request.writeUInt16LE(NLM_F_REQUEST, AT.flags);
  request.writeUInt32LE(sequence, AT.sequence);
  request[AT.family] = AF_INET;
  request[AT.protocol] = IPPROTO_TCP;
  request.writeUInt32LE(ALL_STATES, AT.states);
  request.writeUInt16BE(own.port, AT_REQUEST.ownPort);
  request.writeUInt16BE(other.port, AT_REQUEST.otherPort);
  request.set(bytesOf(own), AT_REQUEST.own);
  request.set(bytesOf(other), AT_REQUEST.other);
  request.writeUInt32LE(NO_COOKIE, AT_REQUEST.cookie);
  request.writeUInt32LE(NO_COOKIE, AT_REQUEST.cookie + 4);
  return request;
}

/** Where no connection has these ends, the kernel answers with the socket that listens at the first, or with an error. */
function rowIn(bytes: Uint8Array, { own, other }: Ends, sequence: number): SocketRow | undefined {
  const answer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isDescription = answer.length >= ANSWER_BYTES && answer.readUInt16LE(AT.type) === SOCK_DIAG_BY_FAMILY;
  if (!isDescription || answer.readUInt32LE(AT.sequence) !== sequence) return undefined;
  const isOfBoth =
    answer[AT_ANSWER.state] !== LISTEN &&
    answer.readUInt16BE(AT_ANSWER.ownPort) === own.port &&
    answer.readUInt16BE(AT_ANSWER.otherPort) === other.port &&
    hasAddress(answer, AT_ANSWER.own, own) &&
    hasAddress(answer, AT_ANSWER.other, other);
  return isOfBoth
    ? { uid: answer.readUInt32LE(AT_ANSWER.uid), inode: answer.readUInt32LE(AT_ANSWER.inode) }
    : undefined;
}

/** A socket of IPv6 has the same address with twelve bytes before it (`::ffff:127.0.0.1`): Java and others call that way. */
function hasAddress(answer: Buffer, at: number, end: End): boolean {
  const from = answer[AT.family] === AF_INET ? at : at + 12;
  return answer.subarray(from, from + 4).equals(bytesOf(end));
}

function isIpv4({ address }: End): boolean {
  return /^\d+(?:\.\d+){3}$/.test(address);
}

function bytesOf({ address }: End): Buffer {
  return Buffer.from(address.split('.').map(Number));
}
