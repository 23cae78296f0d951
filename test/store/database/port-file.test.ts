import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notedPort, notePort } from '../../../src/store/database/port-file.ts';

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-port-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a port is read back as it was noted, the latest one, from a file of the user alone', () => {
  const folder = folderOfTest();
  notePort(folder, 3_001);
  notePort(folder, 65_535);
  expect(notedPort(folder)).toBe(65_535);
  expect(statSync(join(folder, 'port')).mode & 0o777).toBe(0o600);
});

test('without a note, or without the folder, there is no port', () => {
  const folder = folderOfTest();
  expect([notedPort(folder), notedPort(join(folder, 'absent'))]).toEqual([undefined, undefined]);
});

test.each(['', '0', '-1', '65536', '3001.5', '3001 or so', 'NaN'])('a note of %j names no port', (text) => {
  const folder = folderOfTest();
  writeFileSync(join(folder, 'port'), text);
  expect(notedPort(folder)).toBe(undefined);
});

test('a note that is there and cannot be read is an error', () => {
  const folder = folderOfTest();
  mkdirSync(join(folder, 'port'));
  chmodSync(join(folder, 'port'), 0o700);
  expect(() => notedPort(folder)).toThrow('EISDIR');
});
