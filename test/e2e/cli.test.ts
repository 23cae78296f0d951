import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { DAEMON_FOLDER } from '../../src/packaging/places.ts';
import { notedDaemon } from '../../src/store/database/data-directory.ts';
import { until } from '../desktop/processes.ts';
import { NOBODY, shellAs } from '../http/other-os-user.ts';
import { skipWithout } from '../runner/skip-without.ts';
import { type Console, type RunningDaemon, START, signIn, startDaemonProcess } from './daemon.ts';

const CLI = join(DAEMON_FOLDER, 'cli.js');
const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake' };
const TERMINAL = '/usr/bin/script';

type Ended = { code: number; stdout: string; stderr: string };

function environmentOf(dataDirectory: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, HANDRAIL_DATA_DIR: dataDirectory, HANDRAIL_PORT: '0' };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the built command line without a terminal and without standard input. */
function handrailAt(dataDirectory: string, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...words], { env: environmentOf(dataDirectory) }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ).stdin?.end();
  });
}

describe('with a daemon that has no terminal', () => {
  let daemon: RunningDaemon;
  let person: Console;
  const handrail = (...words: string[]) => handrailAt(daemon.dataDirectory, ...words);

  beforeAll(async () => {
    daemon = await startDaemonProcess(FAKE);
    person = await daemon.signIn();
  });
  afterAll(() => daemon.stop());

  test('status says where it runs, for a person and for a program', async () => {
    const { code, stdout } = await handrail('status');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Handrail 0\.1\.0 runs/) });
    expect(stdout).toContain(`dashboard   ${daemon.base}/`);
    const told = JSON.parse((await handrail('status', '--json')).stdout);
    expect(told).toMatchObject({ dashboard: `${daemon.base}/`, paused: false, health: { service: 'handrail' } });
  });

  test('describe prints the text form of the screen, and the whole record for programs', async () => {
    const { code, stdout, stderr } = await handrail('describe');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^frame [a-z0-9]{8}\n/);
    expect(stdout).toMatch(/^window "diary\.txt – Text Editor" of Text Editor id=\S+ focused$/m);
    expect(stdout).toMatch(/^ +button "Close" @\d+$/m);
    const action: Action = JSON.parse((await handrail('describe', '--json')).stdout);
    expect(action).toMatchObject({
      actionType: 'DescribeScreen',
      status: 'success',
      userId: 'cli',
      data: { windows: expect.any(Array), elements: expect.any(Array) },
    });
  });

  test('an action that fails has exit code 5 and its reason', async () => {
    const { code, stdout, stderr } = await handrail('open', 'no-such-app');
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/^handrail: failed: No app called "no-such-app"/);
  });

  test('act takes parameters as words, and refuses wrong ones with exit code 2', async () => {
    expect(await handrail('act', 'Wait', 'durationMs=1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Waited 1 ms'),
    });
    expect(await handrail('act', 'Wait', 'durationMs=soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('durationMs'),
    });
    expect(await handrail('act', 'Wiat')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DescribeScreen, '),
    });
  });

  test('a screenshot that the person allows is written to the file', async () => {
    const file = join(newFolder(), 'screen.png');
    const taken = handrail('screenshot', '-o', file, '--reason', 'to try it');
    expect((await person.answer('allow')).status).toBe(200);
    const { code, stdout, stderr } = await taken;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(file) });
    expect(stderr).toContain(`waits for your answer at ${daemon.base}/`);
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
  });

  test('one that the person denies has exit code 3, and no file is written', async () => {
    const file = join(newFolder(), 'screen.png');
    const taken = handrail('screenshot', '-o', file);
    await person.answer('deny');
    expect(await taken).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('denied') });
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('the same user id has the same device however often it calls', async () => {
    await handrail('describe');
    const { body } = await daemon.call<{ items: unknown[] }>('/api/tee/devices', { userId: 'cli' });
    expect(body.items).toHaveLength(1);
  });

  test('log lists the actions of a user id, the latest first', async () => {
    await handrail('act', 'Wait', 'durationMs=2', '--as', 'other');
    const { code, stdout } = await handrail('log', '--as', 'other');
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Wait {2}success {2}Waited 2 ms\. {2}act_/);
    expect((await handrail('log', '--as', 'nobody-yet')).stdout).toBe('There are no actions of nobody-yet yet.\n');
  });

  test('a task of a file runs on this computer, and its exit code is that of its steps', async () => {
    const file = join(newFolder(), 'task.json');
    const step = (id: string, more: object) => ({ id, actionType: 'Wait', parameters: { durationMs: 1 }, ...more });
    writeFileSync(file, JSON.stringify({ name: 'Two waits', steps: [step('a', {}), step('b', { dependsOn: ['a'] })] }));
    const done = await handrail('task', 'run', file);
    expect(done).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Two waits: success\n {2}success {2}a {2}Wait/),
      stderr: '',
    });
    const opens = { actionType: 'OpenApp', parameters: { appName: 'no-such-app' } };
    writeFileSync(file, JSON.stringify({ steps: [step('a', opens)] }));
    expect(await handrail('task', 'run', file)).toMatchObject({ code: 5, stdout: expect.stringContaining('failed') });
    writeFileSync(file, JSON.stringify({ steps: [step('a', { dependsOn: ['a'] })] }));
    expect(await handrail('task', 'run', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('task_graph_invalid'),
    });
  });

  test('watch prints events as they happen, and ends with exit code 0 at Ctrl-C', async () => {
    const watch = spawn(process.execPath, [CLI, 'watch'], { env: environmentOf(daemon.dataDirectory) });
    let text = '';
    watch.stdout.on('data', (part: Buffer) => {
      text += part.toString();
    });
    await until('an event is printed', async () => {
      await handrail('act', 'Wait', 'durationMs=1');
      return /\d\d:\d\d:\d\d {2}action\.\w+ +act_/.test(text) || undefined;
    });
    const ended = once(watch, 'exit');
    watch.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  test('Ctrl-C withdraws a request that waits for the person', async () => {
    const child = spawn(process.execPath, [CLI, 'screenshot', '--as', 'hasty', '-o', join(newFolder(), 'x.png')], {
      env: environmentOf(daemon.dataDirectory),
    });
    const ended = once(child, 'exit');
    await until('the prompt is there', async () => (await person.prompts())[0]);
    child.kill('SIGINT');
    expect(await ended).toEqual([1, null]);
    expect(await person.prompts()).toEqual([]);
  });

  test('pause stops everything, and resume ends it; a stopped request has exit code 3', async () => {
    expect(await handrail('pause')).toMatchObject({ code: 0 });
    expect((await handrail('status')).stdout).toContain('stopped     by you');
    expect(await handrail('describe')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('stopped everything'),
    });
    expect(await handrail('resume')).toMatchObject({ code: 0 });
    expect(await handrail('describe')).toMatchObject({ code: 0 });
  });

  test('policy exports the profiles in force, and compares a changed file with what was done', async () => {
    const exported = await handrail('policy', 'export');
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('// Applies to everybody else.') });
    const file = join(newFolder(), 'policy.jsonc');
    writeFileSync(file, exported.stdout);
    expect(await handrail('policy', 'check', file)).toEqual({
      code: 0,
      stdout: 'Good: 1 profile, 0 examples.\n',
      stderr: '',
    });
    expect((await handrail('policy', 'diff', file)).stdout).toMatch(
      /Newly allowed: 0\nNewly asked: 0\nNewly blocked: 0\n$/,
    );
    await handrail('act', 'Wait', 'durationMs=3', '--as', 'compared');
    const example = '"examples": [{ "actionType": "Wait", "parameters": { "durationMs": 3 }, "verdict": "block" }]';
    const strict = exported.stdout.replace('"assist"', '"strict"').replace('"low": "allow"', '"low": "block"');
    writeFileSync(file, strict.replace('"examples": []', example));
    expect(await handrail('policy', 'test', file)).toMatchObject({ code: 0 });
    const diff = await handrail('policy', 'diff', file, '--days', '1');
    expect(diff).toMatchObject({ code: 0, stderr: '' });
    expect(diff.stdout).toMatch(/^Newly allowed: 0\nNewly asked: 0\nNewly blocked: [1-9]/m);
    expect(diff.stdout).toMatch(
      /^ {2}\d+ × (cli|compared) {2}Wait: Wait for \d ms \(runs now\)\. The profile strict blocks actions of low risk\.$/m,
    );
    expect(JSON.parse((await handrail('policy', 'diff', file, '--json')).stdout)).toMatchObject({
      days: 30,
      would: { allow: 0 },
    });
  });

  test('audit checks the journal while the daemon runs', async () => {
    expect(await handrail('audit')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The journal is as it was written: \d+ rows/),
    });
    expect(JSON.parse((await handrail('audit', '--json')).stdout)).toEqual({ valid: true, rows: expect.any(Number) });
  });

  test('login gives a code without a terminal and without standard input, and the code signs in', async () => {
    const child = spawn('setsid', [process.execPath, CLI, 'login', '--json'], {
      env: environmentOf(daemon.dataDirectory),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { code, dashboard } = JSON.parse((await child.stdout.toArray()).join(''));
    expect(dashboard).toBe(`${daemon.base}/`);
    const other = await signIn(daemon.call, daemon.base, code);
    expect(await other.prompts()).toEqual([]);
  });

  test('doctor finds the daemon at its port', async () => {
    const findings: { check: string; state: string; message: string }[] = JSON.parse(
      (await handrail('doctor', '--json')).stdout,
    );
    expect(findings.find(({ check }) => check === 'port')).toMatchObject({
      state: 'good',
      message: `Handrail runs already at ${daemon.base}/`,
    });
  });

  test('U1: another OS user cannot pause, resume or sign in from the command line, also with the key and where the folder stands open', async (context) => {
    skipWithout('root', context);
    const { dataDirectory } = daemon;
    const file = join(dataDirectory, 'port');
    expect([statSync(file).mode & 0o777, statSync(dataDirectory).mode & 0o777]).toEqual([0o600, 0o700]);
    const key = notedDaemon(dataDirectory)?.key;
    const call = `curl -s -m 5 -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"words":""}'`;
    for (const verb of ['login', 'pause', 'resume', 'status', 'policy', 'policy-diff'])
      expect((await shellAs(NOBODY, `${call} ${daemon.base}/api/command-line/${verb}`)).output).toBe('403');
    expect((await shellAs(0, `${call} ${daemon.base}/api/command-line/status`)).output).toBe('200');
    chmodSync(dataDirectory, 0o755);
    try {
      expect((await shellAs(NOBODY, `cat ${file}`)).code).toBe(1);
    } finally {
      chmodSync(dataDirectory, 0o700);
    }
  });
});

/** Runs words in a terminal of their own (util-linux). `text` is what the terminal has shown. */
function inTerminal(
  words: readonly string[],
  dataDirectory: string,
): { child: ChildProcess; text(): string; type(line: string): void } {
  const line = words.map((word) => `'${word}'`).join(' ');
  const env = { ...environmentOf(dataDirectory), ...FAKE, TERM: 'xterm' };
  const child = spawn(TERMINAL, ['-qfec', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (part: Buffer) => {
    text += part.toString();
  });
  return { child, text: () => text, type: (typed) => void child.stdin.write(typed) };
}

describe('with a daemon in a terminal', () => {
  test('U4: the log is readable lines, a code is never handed out, and only the printed code ends the stop', async () => {
    const folder = newFolder();
    const daemon = inTerminal([...START], folder);
    const printed = await until('the daemon prints a code', () => /^code (\S+)/m.exec(daemon.text())?.[1]);
    expect(daemon.text()).not.toContain('{"level"');
    expect(await handrailAt(folder, 'login')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Press Enter there'),
    });
    expect(await handrailAt(folder, 'pause')).toMatchObject({ code: 0 });
    await until('the terminal shows the stop', () => daemon.text().includes('stops everything from the command line'));
    expect(await handrailAt(folder, 'resume')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('on standard input'),
    });

    const resume = inTerminal([process.execPath, CLI, 'resume'], folder);
    await until('the code is asked for', () => resume.text().includes('type the code that it prints'));
    resume.type('QQQQ-7777\n');
    expect(await once(resume.child, 'exit')).toEqual([1, null]);
    expect(resume.text()).toContain('That code is wrong or spent');
    expect(JSON.parse((await handrailAt(folder, 'status', '--json')).stdout)).toMatchObject({ paused: true });

    const again = inTerminal([process.execPath, CLI, 'resume'], folder);
    await until('the code is asked for', () => again.text().includes('type the code that it prints'));
    again.type(`${printed}\n`);
    expect(await once(again.child, 'exit')).toEqual([0, null]);
    expect(JSON.parse((await handrailAt(folder, 'status', '--json')).stdout)).toMatchObject({ paused: false });
    daemon.type('\u0003');
    await once(daemon.child, 'exit');
  });

  test('a wait for the person is shown with the time that is left', async () => {
    const daemon = await startDaemonProcess(FAKE);
    onTestFinished(daemon.stop);
    const person = await daemon.signIn();
    const file = join(newFolder(), 'screen.png');
    const taken = inTerminal([process.execPath, CLI, 'screenshot', '-o', file], daemon.dataDirectory);
    await until('two seconds are counted down', () => new Set(taken.text().match(/\d:\d\d left/g) ?? []).size >= 2);
    expect(taken.text()).toContain(`Waiting for your answer at ${daemon.base}/`);
    await person.answer('allow');
    expect(await once(taken.child, 'exit')).toEqual([0, null]);
    expect(taken.text()).toMatch(/screen\.png: \d+ × \d+/);
  });
});
