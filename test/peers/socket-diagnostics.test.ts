import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/peers/netlink.ts';
import { createFindSocket } from '../../src/peers/socket-diagnostics.ts';

const own = { address: '127.0.0.1', port: 51_000 };
const other = { address: '127.0.0.2', port: 3_001 };

/** The request for the first lookup, as the kernel of Linux expects it: 72 bytes, little-endian but for ports and addresses. */
const REQUEST = [
  '48000000 1400 0100 01000000 00000000',
  '02 06 00 00 ffffffff',
  'c738 0bb9 7f000001000000000000000000000000 7f000002000000000000000000000000 00000000 ffffffffffffffff',
]
  .join('')
  .replaceAll(' ', '');

/** The kernel's description of the socket that was asked for, of uid 1000 with inode 64489. */
function description(change: (answer: Buffer) => void = () => undefined): Buffer {
  const answer = Buffer.from(
    [
      '58000000 1400 0000 01000000 00000000',
      '02 01 00 00',
      'c738 0bb9 7f000001000000000000000000000000 7f000002000000000000000000000000 00000000 0100000000000000',
      '00000000 00000000 00000000 e8030000 e9fb0000',
    ]
      .join('')
      .replaceAll(' ', ''),
    'hex',
  );
  change(answer);
  return answer;
}

const finder = (exchange: Exchange) => createFindSocket(exchange) ?? expect.unreachable('a finder is expected');
const found = (answer: Uint8Array | undefined) => finder(() => answer)({ own, other });

test('asks for one socket, and reads its user and inode from the answer', () => {
  const requests: string[] = [];
  const find = finder((request) => {
    requests.push(Buffer.from(request).toString('hex'));
    return description();
  });
  expect(find({ own, other })).toEqual({ uid: 1_000, inode: 64_489 });
  expect(requests).toEqual([REQUEST]);
});

test('reads the answer about a socket of IPv6 with an address of IPv4', () => {
  const answer = description((bytes) => {
    bytes[16] = 10;
    for (const [at, last] of [[24, 1] as const, [40, 2] as const])
      bytes.set(Buffer.from(`00000000000000000000ffff7f00000${last}`, 'hex'), at);
  });
  expect(found(answer)).toEqual({ uid: 1_000, inode: 64_489 });
});

describe('tells nothing', () => {
  test.each<[string, Uint8Array | undefined]>([
    ['without an answer', undefined],
    ['of an error', description((bytes) => bytes.writeUInt16LE(2, 4))],
    ['of an answer to another request', description((bytes) => bytes.writeUInt32LE(2, 8))],
    ['of an answer that was cut short', description().subarray(0, 87)],
    ['of a socket that listens', description((bytes) => bytes.writeUInt8(10, 17))],
    ['of a socket with another port of its own', description((bytes) => bytes.writeUInt16BE(51_001, 20))],
    ['of a socket with another port at its other end', description((bytes) => bytes.writeUInt16BE(3_002, 22))],
    ['of a socket with another address of its own', description((bytes) => bytes.writeUInt8(3, 27))],
    ['of a socket with another address at its other end', description((bytes) => bytes.writeUInt8(3, 43))],
  ])('%s', (_title, answer) => {
    expect(found(answer)).toBeUndefined();
  });

  test('and does not ask about addresses of IPv6', () => {
    const find = finder(() => expect.unreachable('nothing is to be asked'));
    expect(find({ own: { ...own, address: '::1' }, other })).toBeUndefined();
  });
});
