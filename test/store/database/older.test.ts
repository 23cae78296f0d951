import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RENEWAL } from '../../../src/store/database/renewal.ts';
import type { Store } from '../../../src/store/store.ts';
import { device, open, temporaryFolder } from '../rig.ts';
import { databaseIn, edit } from './damage.ts';

const FAR = 9e15;

function grant(id: string) {
  const key = { userId: 'ann', actionType: 'OpenApp', deviceId: device().id, arguments: `{"appName":"${id}"}` };
  return { ...key, id, literal: '', scope: 'always' as const, createdAtMs: 1, unusedMs: FAR, expiresAtMs: FAR };
}

/** A closed store in which the person first opened things, then closed them, with copies of the files from before. */
function lifeOfTwoDays(): string {
  const path = temporaryFolder();
  const first = open({ path });
  first.write('durable', () => {
    first.devices.insert(device());
    for (const id of ['ann', 'eve']) first.users.see(id, 1);
    first.grants.insert(grant('grt_revoked'));
    first.grants.insert(grant('grt_kept'));
    for (const folder of ['/home/ann/old', '/home/ann/kept'])
      first.allowedFolders.put({ userId: 'ann', path: folder, access: 'write', addedAtMs: 1 });
    first.profiles.assign('eve', 'trusted');
    first.settings.set('pausedAtMs', null);
    first.journal.append(1, { kind: 'daemon.resumed' });
  });
  first.close();
  edit(path, () => undefined);
  for (const name of ['handrail.db', 'protections.json', 'journal.anchor'])
    copyFileSync(join(path, name), join(path, `${name}.yesterday`));
  const second = open({ path });
  second.write('durable', () => {
    second.grants.revoke('grt_revoked', 2);
    second.allowedFolders.remove('ann', '/home/ann/old');
    second.profiles.assign('*', 'lockdown');
    second.users.setKeyHash('ann', 'ab'.repeat(32));
    second.journal.append(2, { kind: 'grant.revoked', metadata: { grantId: 'grt_revoked' } });
  });
  second.write('durable', () => {
    second.settings.set('pausedAtMs', 5);
    second.journal.append(3, { kind: 'daemon.paused' });
  });
  second.close();
  return path;
}

function openedBy(store: Store) {
  return {
    isStopped: typeof store.settings.get('pausedAtMs') === 'number',
    assignments: store.profiles.assignments(),
    keyOfAnn: store.users.find('ann')?.keyHash,
    folders: store.allowedFolders.list().map(({ path }) => path),
    revoked: store.grants.live(10).filter(({ id }) => id === 'grt_revoked'),
  };
}

const AS_CLOSED = {
  isStopped: true,
  assignments: [
    { userId: '*', profile: 'lockdown' },
    { userId: 'eve', profile: 'trusted' },
  ],
  keyOfAnn: 'ab'.repeat(32),
  folders: ['/home/ann/kept'],
  revoked: [],
};

/** Puts files of the day before in the place of today's; those of the write-ahead log go. */
function putBack(path: string, ...names: string[]): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${databaseIn(path)}${suffix}`, { force: true });
  for (const name of names) copyFileSync(join(path, `${name}.yesterday`), join(path, name));
}

describe('S5, S9: an older, cut or emptied database opens nothing that the person closed:', () => {
  test.each<[string, (path: string) => void]>([
    ['an older one, put back alone', (path) => putBack(path, 'handrail.db')],
    ['an older one with its anchor', (path) => putBack(path, 'handrail.db', 'journal.anchor')],
    ['one of no byte', (path) => truncateSync(databaseIn(path), 0)],
    ['one of one byte', (path) => truncateSync(databaseIn(path), 1)],
    ['one of 99 bytes', (path) => truncateSync(databaseIn(path), 99)],
    ['one of a line of text', (path) => writeFileSync(databaseIn(path), 'not a database\n')],
    ['a missing one', (path) => rmSync(databaseIn(path))],
    ['one cut in the middle', (path) => truncateSync(databaseIn(path), 40_960)],
    [
      'an older one with the write-ahead log of nothing',
      (path) => {
        putBack(path, 'handrail.db');
        writeFileSync(`${databaseIn(path)}-wal`, '');
      },
    ],
    [
      'one with the stop taken out by hand',
      (path) => edit(path, (database) => database.exec(`UPDATE settings SET value = 'null' WHERE name = 'pausedAtMs'`)),
    ],
    [
      'one with the rules taken out by hand',
      (path) =>
        edit(path, (database) => database.exec('DELETE FROM profile_assignments; UPDATE users SET key_hash = NULL')),
    ],
  ])('%s', (_title, damage) => {
    const path = lifeOfTwoDays();
    damage(path);
    const store = open({ path });
    // A database without its rows has no folders either.
    const { folders, ...rest } = openedBy(store);
    expect({ ...rest, folders: ['/home/ann/kept', ...folders].slice(-1) }).toEqual(AS_CLOSED);
    expect(store.settings.get(RENEWAL)).toEqual(store.renewal);
    expect(store.renewal).toBeDefined();
  });

  test('an older one without a second copy gives everybody lockdown', () => {
    const path = lifeOfTwoDays();
    putBack(path, 'handrail.db');
    rmSync(join(path, 'protections.json'));
    const store = open({ path });
    expect(openedBy(store)).toMatchObject({ isStopped: true, assignments: [{ userId: '*', profile: 'lockdown' }] });
    expect(store.grants.live(10)).toEqual([]);
    expect(store.renewal).toMatchObject({ older: 'journal', areRulesKept: false });
  });

  test('an older one with its second copy ends all grants and stops everything', () => {
    const path = lifeOfTwoDays();
    putBack(path, 'handrail.db', 'protections.json');
    const store = open({ path });
    expect(store.settings.get('pausedAtMs')).toEqual(expect.any(Number));
    expect(store.grants.live(10)).toEqual([]);
    expect(store.renewal).toMatchObject({ older: 'journal' });
  });

  test('an older second copy alone changes no rule, and everything is stopped', () => {
    const path = lifeOfTwoDays();
    putBack(path, 'protections.json');
    const store = open({ path });
    expect(openedBy(store)).toEqual(AS_CLOSED);
    expect(store.renewal).toMatchObject({ older: 'second copy', differs: expect.arrayContaining(['users']) });
    store.close();
    expect(readFileSync(join(path, 'protections.json'), 'utf8')).toContain('lockdown');
  });
});

test('S9: the lost write-ahead log of a running store opens nothing that the person closed', () => {
  const path = temporaryFolder();
  const store = open({ path });
  store.write('durable', () => store.profiles.assign('eve', 'trusted'));
  const copy = join(path, 'copy.db');
  store.write('durable', () => store.profiles.assign('*', 'lockdown'));
  copyFileSync(databaseIn(path), copy);
  store.close();
  putBack(path);
  copyFileSync(copy, databaseIn(path));
  const again = open({ path });
  expect(again.profiles.assignments()).toContainEqual({ userId: '*', profile: 'lockdown' });
  expect(again.settings.get('pausedAtMs')).toEqual(expect.any(Number));
});

test('a start with everything as it was left changes and stops nothing', () => {
  const path = lifeOfTwoDays();
  const store = open({ path });
  expect([store.renewal, openedBy(store)]).toEqual([undefined, AS_CLOSED]);
  expect(store.grants.live(10).map(({ id }) => id)).toEqual(['grt_kept']);
  expect(existsSync(join(path, 'handrail.db.damaged'))).toBe(false);
});
