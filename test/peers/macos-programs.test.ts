import { expect, test } from 'vitest';
import { createMacosPrograms, listWithLsof, listWithPs, type RunListing } from '../../src/peers/macos-peers.ts';

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

test('of a path the first 1,000 characters are kept', async () => {
  const folder = `/${'d'.repeat(995)}/`;
  const processes = async () => `  977     1 ${folder}abc\n  978     1 ${folder}abcd\n`;
  const pathOf = async (pid: number) =>
    await createMacosPrograms({ list: async () => held(pid), processes })(from(51_000));
  expect(await pathOf(977)).toMatchObject({ path: `${folder}abc`, name: 'abc' });
  expect(await pathOf(978)).toMatchObject({ path: `${folder}abc`, name: 'abc' });
});

test('of the parents the nearest twelve are named', async () => {
  const chain = (parents: number) =>
    Array.from({ length: parents + 1 }, (_, index) => `${100 + index} ${99 + index} /bin/p${index}`).join('\n');
  const startedBy = async (parents: number) => {
    const pid = 100 + parents;
    const find = createMacosPrograms({ list: async () => held(pid), processes: async () => chain(parents) });
    const program = await find(from(51_000));
    return program.kind === 'program' ? program.startedBy.length : undefined;
  };
  expect([await startedBy(12), await startedBy(13)]).toEqual([12, 12]);
});

/** Answers as a program that printed this and ended with this error; notes how it was run. */
function runningWith(error: Error | null, output: string) {
  const runs: unknown[][] = [];
  const run: RunListing = (program, args, options, ended) => {
    runs.push([program, ...args, options]);
    ended(error, output);
  };
  return { run, runs };
}

const LIMITS = { timeout: 2_000, maxBuffer: 16_777_216 };

test('lsof and ps have two seconds and 16 MiB each', async () => {
  const lsof = runningWith(null, 'p1');
  const ps = runningWith(null, '1 0 /sbin/launchd');
  expect([await listWithLsof(3_001, lsof.run), await listWithPs(ps.run)]).toEqual(['p1', '1 0 /sbin/launchd']);
  expect(lsof.runs).toEqual([['/usr/sbin/lsof', '-nP', '-iTCP@127.0.0.1:3001', '-F', 'pun', LIMITS]]);
  expect(ps.runs).toEqual([['/bin/ps', '-axww', '-o', 'pid=,ppid=,comm=', LIMITS]]);
});

test('lsof that found nothing ends with an error and without output; with output its error is no matter', async () => {
  const error = new Error('code 1');
  expect(await listWithLsof(3_001, runningWith(error, 'p1').run)).toBe('p1');
  await expect(listWithLsof(3_001, runningWith(error, '').run)).rejects.toBe(error);
  await expect(listWithPs(runningWith(error, '1 0 /sbin/launchd').run)).rejects.toBe(error);
});
