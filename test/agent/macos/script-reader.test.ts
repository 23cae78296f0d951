import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConversationEvents, ConversationStart } from '../../../agent/drivers/converse.ts';
import type { ProgramResult, ProgramRun } from '../../../agent/drivers/exec.ts';
import { OSASCRIPT, scriptPath, scriptsFolder } from '../../../agent/drivers/macos/run-script.ts';
import { createScriptReader } from '../../../agent/drivers/macos/script-reader.ts';

type Asked = { id: number; script: string; argv: string[] };
type Started = ConversationStart & ConversationEvents & { asked: Asked[]; lines: string[]; stopped: number };

const OLD_WAY: ProgramResult = { kind: 'exited', exitCode: 0, stdout: 'the old way', stderr: '' };
const OUTPUT = '{"errors":{}}';
const READ: ProgramResult = { kind: 'exited', exitCode: 0, stdout: OUTPUT, stderr: '' };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A reader whose processes the test answers for; `react` is asked for each line, and by default answers it. */
function createRig(react: (process: Started, asked: Asked) => void = right) {
  const started: Started[] = [];
  const old: ProgramRun[] = [];
  const reader = createScriptReader(
    async (request) => {
      old.push(request);
      return request.signal?.aborted ? { kind: 'aborted' } : OLD_WAY;
    },
    (start, events) => {
      const process: Started = { ...start, ...events, asked: [], lines: [], stopped: 0 };
      started.push(process);
      return {
        say: (line) => {
          process.lines.push(line);
          const asked: Asked = JSON.parse(line);
          process.asked.push(asked);
          queueMicrotask(() => react(process, asked));
        },
        stop: () => {
          process.stopped += 1;
        },
      };
    },
  );
  const stopped = () => started.map((process) => process.stopped);
  return {
    ...reader,
    started,
    old,
    stopped,
    look: (more: Partial<ProgramRun> = {}) => reader.run(scriptRun('desktop', more)),
  };
}

function scriptRun(script: string, more: Partial<ProgramRun> = {}): ProgramRun {
  const args = ['-l', 'JavaScript', scriptPath(script), '{"parts":["apps"]}'];
  return { program: OSASCRIPT, args, timeoutMs: 8_000, maxOutputBytes: 1_000, ...more };
}

function right(process: Started, { id }: Asked): void {
  process.said(answered({ id }));
}

function answered(more: object): string {
  return `${JSON.stringify({ ok: true, output: OUTPUT, ...more })}\n`;
}

function silent(): void {
  // The test answers later, or never.
}

test('four calls start one process, which gets a name, an argument and a new id for each', async () => {
  const rig = createRig();
  for (let call = 0; call < 4; call += 1) expect(await rig.look()).toEqual(READ);
  expect(rig.started.map(({ program, args }) => [program, ...args])).toEqual([
    [OSASCRIPT, '-l', 'JavaScript', scriptPath('reader'), JSON.stringify({ folder: scriptsFolder() })],
  ]);
  expect(rig.started[0]?.asked).toEqual(
    [1, 2, 3, 4].map((id) => ({ id, script: 'desktop', argv: ['{"parts":["apps"]}'] })),
  );
  expect(rig.old).toEqual([]);
});

test('the process inherits none of the switches of Electron and Node', async () => {
  vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
  const rig = createRig();
  await rig.look();
  expect(rig.started[0]?.environment).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
  vi.unstubAllEnvs();
});

test.each(['quit-app', 'trash-file', 'request-capture', 'accessibility', 'recognize-text', 'installed-apps', 'reader'])(
  '%s gets a process of its own',
  async (script) => {
    const rig = createRig();
    expect(await rig.run(scriptRun(script))).toEqual(OLD_WAY);
    expect([rig.started, rig.old]).toEqual([[], [scriptRun(script)]]);
  },
);

test('another program, and a script of the same name in another folder, get a process of their own', async () => {
  const rig = createRig();
  await rig.run(scriptRun('desktop', { program: '/usr/bin/open' }));
  await rig.run(scriptRun('desktop', { args: ['-l', 'JavaScript', '/elsewhere/desktop.js', '{}'] }));
  expect([rig.started.length, rig.old.length]).toEqual([0, 2]);
});

test('characters outside of ASCII and new lines are escaped, so that a line is never cut inside one', async () => {
  const rig = createRig();
  const args = ['-l', 'JavaScript', scriptPath('desktop'), 'ä\n😀'];
  await rig.look({ args });
  expect(rig.started[0]?.lines[0]).toMatch(/^[\x20-\x7e]+\n$/);
  expect(rig.started[0]?.asked[0]?.argv).toEqual(['ä\n😀']);
});

test('an answer may arrive in pieces', async () => {
  const rig = createRig((process, { id }) => {
    for (const character of answered({ id })) process.said(character);
  });
  expect(await rig.look()).toEqual(READ);
});

test('a call that comes while another one is open gets a process of its own', async () => {
  const rig = createRig(silent);
  const first = rig.look();
  expect(await rig.look()).toEqual(OLD_WAY);
  rig.started[0]?.said(answered({ id: 1 }));
  expect(await first).toEqual(READ);
  expect([rig.started.length, rig.old.length]).toEqual([1, 1]);
});

const FAILURES: [string, (process: Started, asked: Asked) => void][] = [
  ['ends', ({ ended }) => ended()],
  ['prints no JSON', ({ said }) => said('Segmentation fault\n')],
  ['prints null', ({ said }) => said('null\n')],
  ['answers another id', ({ said }, { id }) => said(answered({ id: id + 1 }))],
  ['answers without an id', ({ said }) => said(answered({}))],
  ['answers twice', ({ said }, { id }) => said(answered({ id }) + answered({ id }))],
  ['answers and begins another line', ({ said }, { id }) => said(`${answered({ id })}{`)],
  [
    'tells an error of the script',
    ({ said }, { id }) => said(answered({ id, ok: false, error: 'Error', number: -2700 })),
  ],
  ['answers no text', ({ said }, { id }) => said(answered({ id, output: {} }))],
  ['answers something else than the script prints', ({ said }, { id }) => said(answered({ id, output: 'undefined' }))],
  ['could not read a part', ({ said }, { id }) => said(answered({ id, output: '{"errors":{"apps":"TypeError"}}' }))],
  ['prints more than the script may', ({ said }) => said('x'.repeat(1_001))],
  ['does not answer in time', () => void vi.advanceTimersByTime(3_000)],
];

test.each(FAILURES)('a reader that %s is killed, and the call gets a process of its own', async (_how, react) => {
  const rig = createRig(react);
  expect(await rig.look()).toEqual(OLD_WAY);
  expect(rig.old).toEqual([scriptRun('desktop')]);
  expect(rig.stopped()).toEqual([1]);
});

test.each(FAILURES)('after three times that it %s, the reader is not tried again', async (_how, react) => {
  const rig = createRig(react);
  for (let call = 0; call < 6; call += 1) expect(await rig.look()).toEqual(OLD_WAY);
  expect([rig.started.length, rig.old.length]).toEqual([3, 6]);
});

test('after a failure the next call starts a new process', async () => {
  let calls = 0;
  const rig = createRig((process, asked) => {
    calls += 1;
    if (calls === 1) process.ended();
    else right(process, asked);
  });
  expect([await rig.look(), await rig.look()]).toEqual([OLD_WAY, READ]);
  expect(rig.started).toHaveLength(2);
});

test('a process that was killed cannot answer for the next one', async () => {
  const rig = createRig((process, asked) => {
    if (asked.id === 1) process.said('no JSON\n');
  });
  await rig.look();
  const second = rig.look();
  rig.started[0]?.said(answered({ id: 2, output: '{"errors":{},"forged":true}' }));
  rig.started[0]?.ended();
  rig.started[1]?.said(answered({ id: 2 }));
  expect(await second).toEqual(READ);
});

test('text that nobody asked for is a failure', async () => {
  const rig = createRig();
  await rig.look();
  rig.started[0]?.said(answered({ id: 2 }));
  expect(rig.stopped()).toEqual([1]);
  expect(await rig.look()).toEqual(READ);
  expect(rig.started).toHaveLength(2);
});

test('a call with a shorter limit of its own waits no longer', async () => {
  const rig = createRig(silent);
  const look = rig.look({ timeoutMs: 500 });
  await vi.advanceTimersByTimeAsync(499);
  expect(rig.old).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await look).toEqual(OLD_WAY);
});

test('a call that is cancelled kills the process, which is no failure of it', async () => {
  const rig = createRig(silent);
  for (let call = 0; call < 4; call += 1) {
    const controller = new AbortController();
    const look = rig.look({ signal: controller.signal });
    controller.abort('requested');
    expect(await look).toEqual({ kind: 'aborted' });
  }
  expect(rig.stopped()).toEqual([1, 1, 1, 1]);
});

test('a call that was cancelled before starts nothing', async () => {
  const rig = createRig();
  expect(await rig.look({ signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' });
  expect(rig.started).toEqual([]);
});

test('a signal that fires after the answer leaves the reader alone', async () => {
  const rig = createRig();
  const controller = new AbortController();
  await rig.look({ signal: controller.signal });
  controller.abort('requested');
  expect(rig.stopped()).toEqual([0]);
});

test('a new process follows after eight calls', async () => {
  const rig = createRig();
  for (let call = 0; call < 8; call += 1) await rig.look();
  expect(rig.stopped()).toEqual([1]);
  expect(await rig.look()).toEqual(READ);
  expect(rig.started.map(({ asked }) => asked.length)).toEqual([8, 1]);
});

test('an idle process is ended after a minute, counted from the last call', async () => {
  const rig = createRig();
  await rig.look();
  vi.advanceTimersByTime(59_000);
  await rig.look();
  vi.advanceTimersByTime(59_999);
  expect(rig.stopped()).toEqual([0]);
  vi.advanceTimersByTime(1);
  expect(rig.stopped()).toEqual([1]);
  expect(await rig.look()).toEqual(READ);
});

test('closing kills the process; a call that is open or comes later gets the old way', async () => {
  const rig = createRig(silent);
  const look = rig.look();
  rig.close();
  expect(await look).toEqual(OLD_WAY);
  expect(await rig.look()).toEqual(OLD_WAY);
  expect(rig.stopped()).toEqual([1]);
  expect([rig.started.length, vi.getTimerCount()]).toEqual([1, 0]);
});
