import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readableLine } from '../../src/daemon/terminal.ts';
import { DAEMON_FLAGS } from '../../src/launch/daemon-flags.cjs';
import { macApp, wordsOf } from '../../src/launch/handrail.cjs';

const START = [...DAEMON_FLAGS, 'dist/daemon/headless.js,src/daemon/headless.ts'];
const COMMANDS = ['dist/daemon/cli.js,src/cli/main.ts'];

test.each([
  [['start'], START],
  [['start', '--terminal'], START],
  [
    ['start', '--json'],
    [...START, '--json'],
  ],
  [
    ['start', '--help'],
    [...COMMANDS, 'start', '--help'],
  ],
  [
    ['status', '--json'],
    [...COMMANDS, 'status', '--json'],
  ],
  [[], COMMANDS],
])('handrail %j runs %j', (words, expected) => {
  expect(wordsOf([...words])).toEqual(expected);
});

test('the daemon gets the options of Node that npm start gives it', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const ofStart = String(scripts.start)
    .split(' ')
    .filter((word) => /^--(?!app=|after=)/.test(word));
  expect([...DAEMON_FLAGS].sort()).toEqual(ofStart.sort());
});

test.each([
  ['the app of all users', '/Applications/Handrail.app'],
  ['the app of one', '/Users/ann/Applications/Handrail.app'],
])('on a Mac %s is opened by start', (_what, app) => {
  const machine = { platform: 'darwin' as const, home: '/Users/ann', exists: (path: string) => path === app };
  expect(macApp({ ...machine, words: ['start'] })).toBe(app);
  expect(macApp({ ...machine, words: ['start', '--terminal'] })).toBeUndefined();
  expect(macApp({ ...machine, words: ['status'] })).toBeUndefined();
  expect(macApp({ ...machine, platform: 'linux', words: ['start'] })).toBeUndefined();
});

test('a line of the log is a line for a person: the time, how bad it is, the text and its facts', () => {
  const time = new Date(2026, 0, 2, 14, 7, 2).getTime();
  const line = JSON.stringify({
    level: 40,
    time,
    pid: 1,
    hostname: 'h',
    msg: 'no\u001b[2J desktop',
    port: 3001,
    fix: 'a\nb',
  });
  expect(readableLine(line, { isColoured: false })).toBe(
    '14:07:02  warning  no\\u{1b}[2J desktop  port=3001  fix=a\\u{a}b',
  );
  expect(readableLine(line, { isColoured: true })).toContain('\u001b[33mwarning\u001b[0m');
});

test('of an error the message is shown, and not its stack', () => {
  const err = { type: 'Error', message: 'the disk is full', stack: 'Error: …\n at x' };
  const line = JSON.stringify({ level: 50, time: 0, msg: 'closing failed', err });
  expect(readableLine(line, { isColoured: false })).toMatch(/ {2}error {4}closing failed {2}err=the disk is full$/);
});
