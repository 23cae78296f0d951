import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StorageUnavailable } from '../../../src/store/database/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../rig.ts';
import { databaseIn } from './damage.ts';

const append = (store: Store) => store.write('relaxed', () => store.journal.append(1, { kind: 'daemon.resumed' }));

test('a database in its place is written to, and its condition is ok', () => {
  const store = open({ path: temporaryFolder() });
  append(store);
  expect([store.isMoved(), store.condition()]).toEqual([false, 'ok']);
});

test.each([
  ['removed', (path: string) => rmSync(databaseIn(path))],
  [
    'replaced by a copy',
    (path: string) => {
      copyFileSync(databaseIn(path), join(path, 'copy'));
      renameSync(join(path, 'copy'), databaseIn(path));
    },
  ],
  ['moved away', (path: string) => renameSync(databaseIn(path), join(path, 'elsewhere'))],
  ['left without its WAL', (path: string) => rmSync(`${databaseIn(path)}-wal`)],
  ['removed with its folder', (path: string) => rmSync(path, { recursive: true })],
  [
    'moved away with its folder, and another folder put there',
    (path: string) => {
      renameSync(path, `${path}-elsewhere`);
      mkdirSync(path);
    },
  ],
])('S6: a database that was %s is not written to, and says so', (_title, leave) => {
  const path = join(temporaryFolder(), 'data');
  const store = open({ path });
  append(store);
  leave(path);
  expect(() => append(store)).toThrow(StorageUnavailable);
  expect(store.journal.head().seq).toBe(1);
  expect([store.wasMoved(), store.isWritable(), store.condition()]).toEqual([true, false, 'moved']);
});

test('S6: a database that was moved away and put back is not written to before the next start', () => {
  const path = join(temporaryFolder(), 'data');
  const store = open({ path });
  renameSync(databaseIn(path), join(path, 'elsewhere'));
  expect(store.isMoved()).toBe(true);
  renameSync(join(path, 'elsewhere'), databaseIn(path));
  expect(() => append(store)).toThrow(StorageUnavailable);
  store.close();
  append(open({ path }));
});

test('S6: a store whose folder was replaced leaves the anchor of another one there alone', () => {
  const path = join(temporaryFolder(), 'data');
  const store = open({ path });
  append(store);
  renameSync(path, `${path}-elsewhere`);
  const other = open({ path });
  const anchor = readFileSync(join(path, 'journal.anchor'), 'utf8');
  store.anchor();
  store.close();
  expect(readFileSync(join(path, 'journal.anchor'), 'utf8')).toBe(anchor);
  append(other);
  expect(other.condition()).toBe('ok');
  expect(existsSync(`${path}-elsewhere`)).toBe(true);
});
