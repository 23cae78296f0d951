import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import { until } from '../desktop/processes.ts';
import { EVERYTHING } from './daemon.ts';
import { shareDaemon } from './shared.ts';

const { daemon, person } = await shareDaemon();

/** The body of a submission that asks. Each requester has a device of its own. */
async function screenshotOf(userId: string): Promise<string> {
  const { id } = await daemon.register(EVERYTHING, userId);
  return JSON.stringify({ targetDeviceId: id, actionType: 'TakeScreenshot', parameters: {} });
}

function started(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The only prompt that waits, once its program was looked up. It is denied when the test ends. */
async function prompt(): Promise<Confirmation['prompt']> {
  const waiting = async () => (await person.prompts())[0]?.prompt;
  await until('a prompt names a program', async () => {
    const program = (await waiting())?.requester.program;
    return program !== undefined && !(program.kind === 'unknown' && program.because === 'it was not looked up');
  });
  const found = await waiting();
  if (found === undefined) throw new Error('the prompt has gone');
  await person.answer('deny');
  return found;
}

const headers = (userId: string) => ['-H', `x-user-id: ${userId}`, '-H', 'Content-Type: application/json'];

test('the prompt names curl, which holds its connection until it is answered', async () => {
  const body = await screenshotOf('one');
  const curl = started('curl', [
    '-s',
    ...headers('one'),
    '-H',
    'Prefer: wait=60',
    '-d',
    body,
    `${daemon.base}/api/tee/actions`,
  ]);
  const { requester } = await prompt();
  expect(requester).toMatchObject({
    userId: 'one',
    program: { kind: 'program', uid: process.geteuid?.(), pid: curl.pid, name: 'curl' },
  });
});

test('the prompt names curl, which is answered 202 at once and ends', async () => {
  const body = await screenshotOf('two');
  const curl = started('curl', ['-s', ...headers('two'), '-d', body, `${daemon.base}/api/tee/actions`]);
  const { requester } = await prompt();
  expect(requester.program).toMatchObject({ kind: 'program', pid: curl.pid, name: 'curl' });
});

test('the prompt names the script of an interpreter', async () => {
  const body = await screenshotOf('three');
  const folder = mkdtempSync(join(tmpdir(), 'calling-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'agent.py');
  const lines = [
    'import urllib.request',
    `request = urllib.request.Request('${daemon.base}/api/tee/actions', data=b'''${body}''')`,
    "request.add_header('x-user-id', 'three')",
    "request.add_header('Content-Type', 'application/json')",
    'urllib.request.urlopen(request).read()',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  started('python3', [script]);
  const { requester } = await prompt();
  expect(requester.program).toMatchObject({ kind: 'program', script });
});
