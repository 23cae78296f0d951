import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAppInfo, parseSerialNumber } from '../../../agent/drivers/macos/open-app.ts';
import { RECORDINGS, type Recording, recorded } from './recordings.ts';

const entries: [string, Recording][] = Object.entries(RECORDINGS);

test('every recording has an entry that says where it is known from, and every entry a recording', () => {
  const files = readdirSync(new URL('./recordings/', import.meta.url)).map((name) => name.replace(/\.txt$/, ''));
  expect(files.sort()).toEqual(Object.keys(RECORDINGS).sort());
  for (const [, { source, system, command }] of entries) {
    expect(source.length).toBeGreaterThan(20);
    expect(system).not.toBe('');
    expect(command).toMatch(/^(open|screencapture|lsappinfo|osascript) /);
  }
});

test('what is assumed is said to be assumed', () => {
  const assumed = entries.filter(([, { basis }]) => basis === 'assumed').map(([name]) => name);
  expect(assumed).toEqual(['lsappinfo-info-empty']);
});

test.each([
  ['lsappinfo-front', 'ASN:0x0-0x1a01a:'],
  ['lsappinfo-front-14', 'ASN:0x0-14b14b:'],
  ['lsappinfo-front-none', null],
] as const)('%s is read', (name, serial) => {
  expect(parseSerialNumber(recorded(name))).toBe(serial);
});

test.each([
  ['lsappinfo-info', { pid: 26566, bundleId: 'com.google.Chrome', name: 'Google Chrome' }],
  ['lsappinfo-info-other-keys', { pid: 12345, bundleId: 'com.apple.finder', name: 'Finder' }],
  ['lsappinfo-info-empty', null],
] as const)('%s is read', (name, info) => {
  expect(parseAppInfo(recorded(name))).toEqual(info);
});
