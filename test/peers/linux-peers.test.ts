import { expect, test } from 'vitest';
import { createLinuxPeers } from '../../src/peers/linux-peers.ts';

const LISTENING =
  '   0: 0100007F:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 64485 1\n';
const ANN = '   1: 0100007F:C738 0100007F:0BB9 01 00000000:00000000 00:00000000 00000000  1000        0 64489 2\n';
const CLOSED = '   1: 0100007F:C738 0100007F:0BB9 06 00000000:00000000 03:00001770 00000000     0        0 0 3\n';
const connection = { caller: { address: '127.0.0.1', port: 51_000 }, daemon: { address: '127.0.0.1', port: 3_001 } };

/** Peers over tables that come one after the other for each path; the last one stays. */
function peersOver(tables: Record<string, string[]>) {
  const reads: string[] = [];
  const find = createLinuxPeers({
    async read(path) {
      reads.push(path);
      const rest = tables[path] ?? [];
      const table = rest.length > 1 ? rest.shift() : rest[0];
      if (table === undefined) throw new Error(`ENOENT: ${path}`);
      return table;
    },
  });
  return { find, reads };
}

test('a caller in the first table is told with one read', async () => {
  const { find, reads } = peersOver({ '/proc/net/tcp': [LISTENING + ANN] });
  expect(await find(connection)).toEqual({ kind: 'user', uid: 1_000, inode: 64_489 });
  expect(reads).toEqual(['/proc/net/tcp']);
});

test('a row that a read passed over is looked for once more', async () => {
  const { find } = peersOver({ '/proc/net/tcp': [LISTENING, LISTENING + ANN] });
  expect(await find(connection)).toEqual({ kind: 'user', uid: 1_000, inode: 64_489 });
});

test('a caller that is not there twice is gone, and is not looked for a third time', async () => {
  const { find, reads } = peersOver({ '/proc/net/tcp': [LISTENING, LISTENING, LISTENING + ANN] });
  expect(await find(connection)).toEqual({ kind: 'gone' });
  expect(reads.filter((path) => path === '/proc/net/tcp')).toHaveLength(2);
});

test('a socket that its process has closed is not taken for one of root', async () => {
  const { find } = peersOver({ '/proc/net/tcp': [LISTENING + CLOSED] });
  expect(await find(connection)).toEqual({ kind: 'gone' });
});

test.each([
  ['cannot be read', {}, 'ENOENT: /proc/net/tcp'],
  [
    'lists nothing of the daemon',
    { '/proc/net/tcp': ['  sl\n'] },
    '/proc/net/tcp does not list the sockets of this daemon',
  ],
])('where the table %s, the caller is unknown', async (_title, tables, because) => {
  expect(await peersOver(tables).find(connection)).toEqual({ kind: 'unknown', because });
});

test('callers that come during a read share the next one, and none takes the one that began before it came', async () => {
  const pending: ((table: string) => void)[] = [];
  const find = createLinuxPeers({ read: () => new Promise((resolve) => void pending.push(resolve)) });
  const first = find(connection);
  await new Promise(setImmediate);
  const others = [find(connection), find(connection), find(connection)];
  await new Promise(setImmediate);
  expect(pending).toHaveLength(1);
  pending[0]?.(LISTENING + ANN);
  expect(await first).toMatchObject({ uid: 1_000 });
  await new Promise(setImmediate);
  expect(pending).toHaveLength(2);
  pending[1]?.(LISTENING + ANN.replace(' 1000 ', ' 1001 '));
  expect(await Promise.all(others)).toMatchObject([{ uid: 1_001 }, { uid: 1_001 }, { uid: 1_001 }]);
  expect(pending).toHaveLength(2);
});
