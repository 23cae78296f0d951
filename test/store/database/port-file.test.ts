import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noteDaemon, notedDaemon } from '../../../src/store/database/data-directory.ts';

const KEY = 'k'.repeat(43);

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-port-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('port and key are read back as they were noted, the latest ones, from a file of the user alone', () => {
  const folder = folderOfTest();
  noteDaemon(folder, { port: 3_001, key: KEY });
  expect(notedDaemon(folder)).toEqual({ port: 3_001, key: KEY });
  noteDaemon(folder, { port: 65_535 });
  expect(notedDaemon(folder)).toEqual({ port: 65_535 });
  expect(statSync(join(folder, 'port')).mode & 0o777).toBe(0o600);
});

test('a file of before that others may read is replaced by one of the user alone', () => {
  const folder = folderOfTest();
  writeFileSync(join(folder, 'port'), '3001\n', { mode: 0o644 });
  noteDaemon(folder, { port: 3_001, key: KEY });
  expect(statSync(join(folder, 'port')).mode & 0o777).toBe(0o600);
});

test('without a note, or without the folder, there is no port', () => {
  const folder = folderOfTest();
  expect([notedDaemon(folder), notedDaemon(join(folder, 'absent'))]).toEqual([undefined, undefined]);
});

test.each(['', '0', '-1', '65536', '3001.5', '3001 or so', '3001\nshort\n', 'NaN'])(
  'a note of %j names no port',
  (text) => {
    const folder = folderOfTest();
    writeFileSync(join(folder, 'port'), text);
    expect(notedDaemon(folder)).toBe(undefined);
  },
);

test('a note that is there and cannot be read is an error', () => {
  const folder = folderOfTest();
  mkdirSync(join(folder, 'port'));
  chmodSync(join(folder, 'port'), 0o700);
  expect(() => notedDaemon(folder)).toThrow('EISDIR');
});
