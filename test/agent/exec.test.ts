import { expect, test } from 'vitest';
import { type ProgramRun, runProgram } from '../../agent/drivers/exec.ts';

function nodeRun(script: string, more: Partial<ProgramRun> = {}) {
  return runProgram({ program: process.execPath, args: ['-e', script], timeoutMs: 10_000, ...more });
}

test('answers what a program wrote and how it exited', async () => {
  const script = 'process.stdout.write("out"); process.stderr.write("err"); process.exitCode = 3';
  expect(await nodeRun(script)).toEqual({ kind: 'exited', exitCode: 3, stdout: 'out', stderr: 'err' });
});

test('hands arguments over as they are, without a shell', async () => {
  const args = ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', '$(id)', '; rm -rf ~', '*'];
  const result = await runProgram({ program: process.execPath, args, timeoutMs: 10_000 });
  expect(result).toMatchObject({ kind: 'exited', stdout: JSON.stringify(['$(id)', '; rm -rf ~', '*']) });
});

test('gives a program its input and the end of it', async () => {
  const result = await nodeRun('process.stdin.pipe(process.stdout)', { input: '{"a":"ä"}' });
  expect(result).toMatchObject({ kind: 'exited', exitCode: 0, stdout: '{"a":"ä"}' });
});

test.each([
  ['does not exist', 'no-such-program-anywhere', []],
  ['is not executable', '/etc/passwd', []],
  ['is given an argument no program can get', process.execPath, ['a\u0000b']],
])('a program that %s is a result, not an exception', async (_why, program, args) => {
  expect(await runProgram({ program, args, timeoutMs: 1_000 })).toEqual({
    kind: 'not_started',
    reason: expect.any(String),
  });
});

test('kills a program at its time limit', async () => {
  expect(await nodeRun('setInterval(() => {}, 1000)', { timeoutMs: 100 })).toEqual({ kind: 'timed_out' });
});

test('kills a program when its signal aborts, and starts none when it already has', async () => {
  const controller = new AbortController();
  const running = nodeRun('setInterval(() => {}, 1000)', { signal: controller.signal });
  controller.abort('requested');
  expect(await running).toEqual({ kind: 'aborted' });
  expect(await nodeRun('', { signal: controller.signal })).toEqual({ kind: 'aborted' });
});

test('kills a program that writes more than it may', async () => {
  const result = await nodeRun('for (;;) process.stdout.write("x".repeat(1024))', { maxOutputBytes: 4096 });
  expect(result).toEqual({ kind: 'too_much_output' });
});

test.each([
  [4 * 1024 * 1024, 'exited'],
  [4 * 1024 * 1024 + 1, 'too_much_output'],
])('a program that writes %d bytes has %s', async (bytes, kind) => {
  expect((await nodeRun(`process.stdout.write("x".repeat(${bytes}))`)).kind).toBe(kind);
});

test('names the signal a program died of', async () => {
  expect(await nodeRun('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')).toEqual({
    kind: 'crashed',
    signal: 'SIGTERM',
  });
});
