import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAEMON_FOLDER } from '../../src/packaging/places.ts';

const DAEMON = join(DAEMON_FOLDER, 'headless.js');

/** Started as `npm start` does it; the port would be refused if it came as far as that. */
function start(...words: string[]) {
  const environment = { ...process.env, HANDRAIL_PORT: 'none' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [DAEMON, ...words], {
    env: environment,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each([
  ['--port', ['--port', '5']],
  ['--port=5', ['--port=5']],
  ['help', ['help']],
])('the argument %s, which it does not know, is refused by name', (named, words) => {
  expect(start(...words)).toEqual({
    status: 1,
    stdout: '',
    stderr: `handrail: no argument "${named}" is known; settings are variables of the environment, see --help\n`,
  });
});

test('without arguments it is the settings that are read', () => {
  expect(start()).toEqual({
    status: 1,
    stdout: '',
    stderr: 'handrail: HANDRAIL_PORT should be 0 to 65535, and is "none".\n',
  });
});

test('help is printed, and nothing started', () => {
  expect(start('--help')).toEqual({ status: 0, stdout: expect.stringContaining('HANDRAIL_PORT'), stderr: '' });
});
