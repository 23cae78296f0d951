import { expect, test } from 'vitest';
import { createMacosPrograms } from '../../src/peers/macos-programs.ts';

const daemon = { address: '127.0.0.1', port: 3_001 };
const from = (port: number) => ({
  peer: { kind: 'user', uid: 501 } as const,
  connection: { caller: { address: '127.0.0.1', port }, daemon },
});

const held = (pid: number) => `p411\nu501\nf21\nn127.0.0.1:3001\np${pid}\nu501\nf3\nn127.0.0.1:51000->127.0.0.1:3001\n`;

/** As the manuals of ps and launchd have it: launchd is 1 and started the app, the app its shell, the shell the caller. */
const PROCESSES = `    1     0 /sbin/launchd
  300     1 /Applications/iTerm.app/Contents/MacOS/iTerm2
  310   300 -zsh
  977   310 /opt/homebrew/Cellar/python@3.13/3.13.1/Frameworks/Python.framework/Versions/3.13/Resources/Python.app/Contents/MacOS/Python
  978   310 /Users/ann/My Tools/agent
`;

test('the caller is named by its bundle or file, with its parents up to the app that it was started from', async () => {
  const find = createMacosPrograms({ list: async () => held(977), processes: async () => PROCESSES });
  expect(await find(from(51_000))).toEqual({
    kind: 'program',
    uid: 501,
    pid: 977,
    name: 'Python',
    path: expect.stringContaining('/opt/homebrew/Cellar/python@3.13/'),
    startedBy: [
      { pid: 310, name: 'zsh' },
      { pid: 300, name: 'iTerm', path: '/Applications/iTerm.app/Contents/MacOS/iTerm2' },
    ],
  });
});

test('a path with a space is kept whole', async () => {
  const find = createMacosPrograms({ list: async () => held(978), processes: async () => PROCESSES });
  expect(await find(from(51_000))).toMatchObject({ name: 'agent', path: '/Users/ann/My Tools/agent' });
});

test('a process id that passes to another process during the look-up names nobody', async () => {
  const answers = [held(977), held(978)];
  const find = createMacosPrograms({ list: async () => answers.shift() ?? '', processes: async () => PROCESSES });
  expect(await find(from(51_000))).toEqual({ kind: 'unknown', because: 'the process that called has ended' });
});

test.each([
  ['a caller that lsof does not list', async () => '', 'lsof does not list the socket of the caller'],
  ['a failing lsof', () => Promise.reject(new Error('timed out')), 'timed out'],
])('%s is unknown, and the reason is kept', async (_, list, because) => {
  const find = createMacosPrograms({ list, processes: async () => PROCESSES });
  expect(await find(from(51_000))).toEqual({ kind: 'unknown', because });
});
