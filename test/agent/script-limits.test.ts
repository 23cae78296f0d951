import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createContacts } from '../../agent/scripts/network/gate.ts';
import { startProxy } from '../../agent/scripts/network/with-network.ts';
import { changedFiles } from '../../agent/scripts/run-script.ts';

const NOTHING = { files: new Map<string, string>() };

const created = (paths: readonly string[]) =>
  changedFiles(NOTHING, { files: new Map(paths.map((path) => [path, 'facts'])), end: 'whole' });

test('a look that is not whole tells what was created and not what is gone', () => {
  const files = (...paths: string[]) => new Map(paths.map((path) => [path, 'facts']));
  const after = { files: files('/new'), end: 'too many' } as const;
  expect(changedFiles({ files: files('/old') }, after)).toEqual({
    changedFiles: [{ path: '/new', change: 'created' }],
    changedFilesComplete: false,
    found: 1,
  });
});

test.each([
  [1_000, true],
  [1_001, false],
])('of %d changed files a thousand are named, and whether that is all: %s', (count, isComplete) => {
  const paths = Array.from({ length: count }, (_, index) => `/${String(index).padStart(4, '0')}`);
  const { changedFiles: named, changedFilesComplete } = created(paths);
  expect([named.length, named.at(-1)?.path, changedFilesComplete]).toEqual([1_000, '/0999', isComplete]);
});

test.each([
  [0, 100],
  [1, 99],
])('of changed files with a megabyte of JSON and %d bytes, %d are named', (more, count) => {
  const empty = JSON.stringify({ path: '/00', change: 'created' }).length;
  const paths = Array.from({ length: 100 }, (_, index) => {
    return `/${String(index).padStart(2, '0')}${'x'.repeat(10_000 - empty + (index === 99 ? more : 0))}`;
  });
  const { changedFiles: named, changedFilesComplete } = created(paths);
  expect([named.length, changedFilesComplete]).toEqual([count, more === 0]);
});

test.each([
  [50, true],
  [51, false],
])('of %d hosts that a script reached and was refused, fifty each are named', (count, isComplete) => {
  const contacts = createContacts();
  for (let index = 0; index < count; index += 1) {
    contacts.reached(`${index}.test:1`);
    contacts.refused(`${index}.test:2`, 'not_named');
  }
  const { reached, refused, complete } = contacts.all();
  expect([reached.length, refused.length, complete]).toEqual([50, 50, isComplete]);
});

test('of a refused host the first hundred characters are named', () => {
  const contacts = createContacts();
  contacts.refused(`${'h'.repeat(99)}12`, 'not_named');
  expect(contacts.all().refused).toEqual([{ to: `${'h'.repeat(99)}1`, why: 'not_named' }]);
});

test('of the sockets that a script opens to the network, 64 stay open at once', async () => {
  const internet = { addressesOf: async () => [], mayReach: () => false };
  const proxy = await startProxy({ ...internet, hosts: [] }, { at: { host: '127.0.0.1', port: 0 } });
  const opened = async () => {
    const socket = connect({ host: '127.0.0.1', port: proxy.port ?? 0 });
    await once(socket, 'connect');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 64 }, opened));
  let closed = 0;
  for (const socket of sockets) socket.on('close', () => (closed += 1));
  const extra = await opened();
  await once(extra, 'close');
  expect(closed).toBe(0);
  for (const socket of sockets) socket.destroy();
  await proxy.end();
});
