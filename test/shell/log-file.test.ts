import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openLogFile } from '../../src/shell/log.ts';

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'shell');
}

test('the log is lines of JSON in a file of the user alone, and goes on from run to run', () => {
  const folder = folderOfTest();
  pino(openLogFile(folder)).info('first');
  pino(openLogFile(folder)).info('second');
  const lines = readFileSync(join(folder, 'handrail.log'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['first', 'second']);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'handrail.log')).mode & 0o777]).toEqual([0o700, 0o600]);
});

test('a log that has grown large is put aside, and the one put aside before it goes', () => {
  const folder = folderOfTest();
  openLogFile(folder).end();
  const [path, before] = [join(folder, 'handrail.log'), join(folder, 'handrail.log.before')];
  writeFileSync(before, 'oldest');
  writeFileSync(path, 'x'.repeat(10));
  openLogFile(folder, { mostBytes: 10 }).end();
  expect([readFileSync(before, 'utf8'), statSync(path).size]).toEqual(['oldest', 10]);
  openLogFile(folder, { mostBytes: 9 }).end();
  expect([readFileSync(before, 'utf8'), statSync(path).size]).toEqual(['x'.repeat(10), 0]);
});

test.each([
  [0, 10_485_760, false],
  [1, 0, true],
])('a log of 10 MiB and %d bytes goes on from %d bytes', (more, from, isAside) => {
  const folder = folderOfTest();
  openLogFile(folder).end();
  const path = join(folder, 'handrail.log');
  truncateSync(path, 10_485_760 + more);
  openLogFile(folder).end();
  expect([statSync(path).size, existsSync(`${path}.before`)]).toEqual([from, isAside]);
});
