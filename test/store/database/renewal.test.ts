import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Profile } from '../../../src/contract/profile.ts';
import { StorageUnavailable } from '../../../src/store/database/database.ts';
import { KEPT_SESSIONS, RENEWAL } from '../../../src/store/database/renewal.ts';
import type { Store } from '../../../src/store/store.ts';
import { action, audit, device, open, temporaryFolder, test } from '../rig.ts';
import { databaseIn, edit, overwrite, tearLeafOf } from './damage.ts';

const STRICT: Profile = {
  name: 'strict',
  byLevel: { low: 'ask', medium: 'block', high: 'block', critical: 'block' },
  rules: [],
};
const MANY = 400;

const protectionsIn = (path: string) => join(path, 'protections.json');

/** A data directory of a closed store with records, and with everything closed that a person can close. */
function closedDirectory(): string {
  const store = open({ path: temporaryFolder() });
  store.write('durable', () => {
    store.devices.insert(device());
    for (let number = 0; number < MANY; number += 1)
      store.actions.insert(action({ id: `act_${1_000 + number}`, status: 'success', details: 'x'.repeat(100) }));
    store.profiles.put(STRICT);
    store.profiles.assign('*', 'lockdown');
    store.profiles.assign('bob', 'strict');
    for (const id of ['ann', 'bob', 'eve']) store.users.see(id, 1);
    store.users.setKeyHash('ann', 'ab'.repeat(32));
    store.users.pause('eve', 2, 'too many denials');
    store.settings.set('pausedAtMs', 5);
    store.settings.set('policyVersion', 7);
    store.journal.append(1, { kind: 'daemon.paused' });
  });
  store.close();
  edit(store.path, () => undefined);
  return store.path;
}

function closedBy(store: Store) {
  return {
    assignments: store.profiles.assignments(),
    profiles: store.profiles.list().map(({ name }) => name),
    keyOfAnn: store.users.find('ann')?.keyHash,
    pauseOfEve: store.users.find('eve')?.pausedBecause,
    pausedAtMs: store.settings.get('pausedAtMs'),
    policyVersion: store.settings.get('policyVersion'),
  };
}

const EVERYTHING_CLOSED = {
  assignments: [
    { userId: '*', profile: 'lockdown' },
    { userId: 'bob', profile: 'strict' },
  ],
  profiles: ['strict'],
  keyOfAnn: 'ab'.repeat(32),
  pauseOfEve: 'too many denials',
  pausedAtMs: 5,
  policyVersion: 7,
};

const countActions = (path: string): unknown =>
  edit(path, (database) => database.prepare('SELECT count(*) FROM actions').pluck().get());

describe('S5: what the person closed stays closed after the database', () => {
  test('has lost its header; all rows are read with a good one', () => {
    const path = closedDirectory();
    overwrite(path, { from: 0, bytes: 64 });
    const store = open({ path });
    expect(closedBy(store)).toEqual(EVERYTHING_CLOSED);
    expect(store.renewal).toMatchObject({ lost: [], areRulesKept: true });
    expect(audit(store)).toMatchObject({ valid: true });
    store.close();
    expect(countActions(path)).toBe(MANY);
  });

  test('has lost every page but the first', () => {
    const path = closedDirectory();
    overwrite(path, { from: 4_096, bytes: statSync(databaseIn(path)).size - 4_096 });
    const store = open({ path });
    expect(closedBy(store)).toEqual(EVERYTHING_CLOSED);
    expect(store.renewal).toMatchObject({ lost: expect.arrayContaining(['actions', 'journal', 'users']) });
    expect(audit(store)).toMatchObject({ valid: false });
  });

  test.each([
    ['has become empty', (path: string) => truncateSync(path, 0)],
    ['was removed', (path: string) => rmSync(path)],
  ])('%s', (_title, damage) => {
    const path = closedDirectory();
    damage(databaseIn(path));
    const store = open({ path });
    expect(closedBy(store)).toEqual(EVERYTHING_CLOSED);
    expect(store.renewal).toMatchObject({ areRulesKept: true, lost: expect.arrayContaining(['actions']) });
  });

  test('has a torn page in one table: only rows of that page are missing', () => {
    const path = closedDirectory();
    tearLeafOf(path, 'actions');
    edit(path, () => undefined);
    writeFileSync(join(path, 'handrail.db.damaged'), '');
    const store = open({ path });
    expect(closedBy(store)).toEqual(EVERYTHING_CLOSED);
    expect(store.renewal).toMatchObject({ lost: ['actions'], areRulesKept: true });
    expect(store.devices.find('ann', device().id)).toMatchObject({ name: 'Desk' });
    store.close();
    const kept = Number(countActions(path));
    expect([kept > MANY / 2, kept < MANY]).toEqual([true, true]);
  });

  test('has lost its rules, and the second copy too: everybody has lockdown, and everything is stopped', () => {
    const path = closedDirectory();
    edit(path, (database) =>
      database.exec(`INSERT INTO grants (id, user_id, action_type, device_id, arguments, literal, scope, created_at_ms, unused_ms, expires_at_ms)
        VALUES ('grt_1', 'ann', 'OpenApp', 'dev_1', '{}', '', 'always', 1, 1e12, 9e15)`),
    );
    tearRootOf(path, 'users');
    writeFileSync(protectionsIn(path), 'torn');
    const store = open({ path });
    expect(store.renewal).toMatchObject({ lost: ['users'], areRulesKept: false });
    expect(store.profiles.assignments()).toEqual([{ userId: '*', profile: 'lockdown' }]);
    expect(store.settings.get('pausedAtMs')).toEqual(5);
    expect(store.grants.live(2)).toEqual([]);
  });

  test('and its second copy are lost: everything is stopped, although nothing was', () => {
    const path = temporaryFolder();
    const before = open({ path });
    before.write('durable', () => before.journal.append(1, { kind: 'daemon.resumed' }));
    before.close();
    rmSync(databaseIn(path));
    rmSync(protectionsIn(path));
    const store = open({ path });
    expect(store.profiles.assignments()).toEqual([{ userId: '*', profile: 'lockdown' }]);
    expect(store.settings.get('pausedAtMs')).toEqual(expect.any(Number));
  });

  test('has lost its rules alone: the second copy has them', () => {
    const path = closedDirectory();
    tearRootOf(path, 'profile_assignments');
    const store = open({ path });
    expect(closedBy(store)).toEqual(EVERYTHING_CLOSED);
    expect(store.renewal).toMatchObject({ lost: ['profile_assignments'], areRulesKept: true });
  });
});

function tearRootOf(path: string, table: string): void {
  const page = edit(path, (database) =>
    Number(database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table)),
  );
  overwrite(path, { from: (page - 1) * 4_096, bytes: 4_096 });
}

describe('a database that was built anew', () => {
  test('stands in its place, the damaged one beside it, and nothing is left to be done at the next start', () => {
    const path = closedDirectory();
    overwrite(path, { from: 0, bytes: 64 });
    const store = open({ path });
    const kept = String(store.renewal?.movedAside);
    expect([existsSync(kept), statSync(kept).mode & 0o777, statSync(databaseIn(path)).mode & 0o777]).toEqual([
      true,
      0o600,
      0o600,
    ]);
    expect(store.settings.get(RENEWAL)).toEqual(store.renewal);
    store.close();
    const again = open({ path });
    expect(again.renewal).toBeUndefined();
    expect(['.new', '.mended', '.damaged'].filter((suffix) => existsSync(databaseIn(path) + suffix))).toEqual([]);
  });

  test('is whole again where only an index was torn', () => {
    const path = closedDirectory();
    tearLeafOf(path, 'actions_by_user');
    writeFileSync(join(path, 'handrail.db.damaged'), '');
    const store = open({ path });
    expect(store.renewal).toMatchObject({ lost: [] });
    store.close();
    expect(edit(path, (database) => database.pragma('integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
    expect(countActions(path)).toBe(MANY);
  });

  test('says so in its journal', () => {
    const path = closedDirectory();
    truncateSync(databaseIn(path), 0);
    const store = open({ path });
    expect(store.journal.readAfter(0, 10).map(({ kind }) => kind)).toContain('daemon.database_renewed');
  });

  test('is not begun where there was none before, nor after a first start that wrote nothing', () => {
    const path = temporaryFolder();
    const store = open({ path });
    expect(store.renewal).toBeUndefined();
    store.close();
    rmSync(databaseIn(path));
    expect(open({ path }).renewal).toBeUndefined();
  });
});

describe('the second copy of what protects', () => {
  const copyOf = (store: Store) => readFileSync(protectionsIn(store.path), 'utf8');
  /** Without the number of changes. */
  const protectionsOf = (text: string) => ({ ...JSON.parse(text.split('\n')[1] ?? ''), settings: undefined });

  test('changes with each rule, key, pause and stop, and with nothing else', ({ store }) => {
    const seen = [copyOf(store)];
    const changes: (() => void)[] = [
      () => store.profiles.put(STRICT),
      () => store.profiles.assign('ann', 'strict'),
      () => store.profiles.assign('ann', 'lockdown'),
      () => store.profiles.remove('strict'),
      () => store.users.see('ann', 1),
      () => store.users.setKeyHash('ann', 'ab'.repeat(32)),
      () => store.users.pause('ann', 2, 'you paused it'),
      () => store.users.resume('ann', 3),
      () => store.users.setKeyHash('ann', null),
      () => store.settings.set('pausedAtMs', 4),
      () => store.settings.set('theme', 'dark'),
    ];
    const changed = changes.map((change) => {
      store.write('durable', change);
      const isNew = copyOf(store) !== seen.at(-1);
      seen.push(copyOf(store));
      return isNew;
    });
    expect(changed).toEqual([true, true, true, true, false, true, true, true, true, true, false]);
  });

  test('is as the database again after a change that was undone', ({ store }) => {
    const before = copyOf(store);
    expect(() =>
      store.write('durable', () => {
        store.profiles.assign('ann', 'lockdown');
        throw new Error('on purpose');
      }),
    ).toThrow('on purpose');
    store.write('durable', () => store.journal.append(1, { kind: 'daemon.resumed' }));
    expect(protectionsOf(copyOf(store))).toEqual(protectionsOf(before));
  });

  test('is written before the change is committed: where it cannot be, the change is refused', ({ store }) => {
    rmSync(protectionsIn(store.path));
    // A folder of this name keeps the new file from taking its place.
    const inTheWay = `${protectionsIn(store.path)}.new`;
    rmSync(inTheWay, { force: true });
    mkdirSync(inTheWay);
    expect(() => store.write('durable', () => store.profiles.assign('ann', 'lockdown'))).toThrow(StorageUnavailable);
    expect(store.profiles.assignments()).toEqual([]);
    rmSync(inTheWay, { recursive: true });
    store.write('durable', () => store.profiles.assign('ann', 'lockdown'));
    expect(copyOf(store)).toContain('lockdown');
  });

  test('that is missing, damaged or of an earlier time is written at the start', () => {
    const path = closedDirectory();
    const right = readFileSync(protectionsIn(path), 'utf8');
    for (const spoil of [() => rmSync(protectionsIn(path)), () => writeFileSync(protectionsIn(path), 'torn')]) {
      spoil();
      open({ path }).close();
      expect(readFileSync(protectionsIn(path), 'utf8')).toBe(right);
    }
  });
});

test('no session of the dashboard comes back with a database that is built anew', () => {
  const before = open({ path: temporaryFolder() });
  before.write('durable', () => before.settings.set(KEPT_SESSIONS, [{ id: 'ses_1' }]));
  before.close();
  writeFileSync(join(before.path, 'handrail.db.damaged'), '');

  const store = open({ path: before.path });

  expect(store.settings.get(RENEWAL)).toBeDefined();
  expect(store.settings.get(KEPT_SESSIONS)).toBeUndefined();
});
