import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adoptFormerDirectory } from '../../../src/store/database/former-directory.ts';
import { audit, device, forkHolder, open, temporaryFolder } from '../rig.ts';

/** A folder with the data of an earlier version, and files of a menu-bar app beside it. */
function formerFolder(): { from: string; to: string } {
  const from = temporaryFolder();
  const store = open({ path: from });
  store.write('durable', () => {
    store.devices.insert(device());
    store.journal.append(1, { kind: 'daemon.resumed' });
  });
  store.close();
  writeFileSync(join(from, 'artifacts', 'picture'), 'x');
  symlinkSync('machine-1234', join(from, 'SingletonLock'));
  mkdirSync(join(from, 'Cache'));
  return { from, to: join(from, 'daemon') };
}

test('data of an earlier version moves to the new folder, and the files of the menu-bar app stay', () => {
  const { from, to } = formerFolder();
  expect(adoptFormerDirectory({ from, to })).toBe(true);
  expect(readdirSync(from).sort()).toEqual(['Cache', 'SingletonLock', 'daemon']);
  expect(readdirSync(join(to, 'artifacts'))).toEqual(['picture']);
  const store = open({ path: to });
  expect(store.devices.find('ann', 'dev_1')).toMatchObject({ id: 'dev_1', name: 'Desk' });
  expect(audit(store)).toMatchObject({ valid: true });
});

test('nothing moves when the new folder exists', () => {
  const { from, to } = formerFolder();
  mkdirSync(to);
  expect(adoptFormerDirectory({ from, to })).toBe(false);
  expect(existsSync(join(from, 'handrail.db'))).toBe(true);
  expect(readdirSync(to)).toEqual([]);
});

test('nothing is made where there is no data of an earlier version', () => {
  const from = temporaryFolder();
  expect(adoptFormerDirectory({ from, to: join(from, 'daemon') })).toBe(false);
  expect(readdirSync(from)).toEqual([]);
});

test('a move that was cut short is completed', () => {
  const { from, to } = formerFolder();
  mkdirSync(`${to}.moving`);
  renameSync(join(from, 'handrail.db'), join(`${to}.moving`, 'handrail.db'));
  expect(adoptFormerDirectory({ from, to })).toBe(true);
  expect(readdirSync(from).sort()).toEqual(['Cache', 'SingletonLock', 'daemon']);
  expect(open({ path: to }).devices.find('ann', 'dev_1')).toMatchObject({ id: 'dev_1' });
});

test('the data of a daemon that runs is not moved, and the daemon is named', async () => {
  const { from, to } = formerFolder();
  renameSync(join(from, 'SingletonLock'), join(from, 'Cache', 'SingletonLock'));
  const holder = await forkHolder(from);
  expect(() => adoptFormerDirectory({ from, to })).toThrow(`the daemon with process id ${holder.pid}`);
  expect(existsSync(join(from, 'handrail.db'))).toBe(true);
});
