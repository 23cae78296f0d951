import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import type { Outcome } from '../../agent/drivers/outcome.ts';
import { stoppedFailure } from '../../agent/drivers/stopping.ts';
import type { AttemptKey, ResultMessage } from '../../agent/result-message.ts';
import { createRunner } from '../../agent/runner.ts';
import type { FailureCode } from '../../src/contract/action.ts';
import type { PerformParams } from '../../src/contract/link.ts';
import { PATIENCE } from '../runner/patience.ts';

const ACTION = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const OTHER_ACTION = 'act_01BX5ZZKBKACTAV9WEVGEMMVS0';
const KEY = { actionId: ACTION, attempt: 1 };
const NOTES = {
  kind: 'app' as const,
  name: 'Notes',
  app: { appName: 'Notes', alsoKnownAs: [], risks: [] },
};

describe('an attempt', () => {
  test('rule 3: is accepted before anything is done', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.idle();
    expect(rig.events).toEqual(['accepted', 'effect', 'answered']);
  });

  test('rule 4: is answered with details, effect, data and its attachments announced', async () => {
    const bytes = Buffer.from('not really a picture');
    const rig = createRig({
      takeScreenshot: async () => ({
        ok: true,
        details: 'A picture.',
        effect: 'none',
        data: { width: 1, height: 1, format: 'png', scale: 1, bounds: NOWHERE, displays: [] },
        images: [{ mediaType: 'image/png', width: 1, height: 1, bytes }],
      }),
    });
    rig.runner.perform(perform('TakeScreenshot', {}));
    const { text, frames } = await rig.answer(0);
    const { result, ...rest } = JSON.parse(text);
    expect(rest).toEqual({ jsonrpc: '2.0', id: `${ACTION}/1` });
    expect(result).toMatchObject({ details: 'A picture.', effect: 'none', data: { width: 1 } });
    const [attachment] = result.attachments;
    expect(attachment).toEqual({
      id: expect.stringMatching(/^art_[0-9A-Z]{26}$/),
      mediaType: 'image/png',
      width: 1,
      height: 1,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const frame = Buffer.concat(frames.flat());
    const headerBytes = frame.readUInt32BE(0);
    expect(JSON.parse(frame.toString('utf8', 4, 4 + headerBytes))).toEqual({ id: attachment.id });
    expect(frame.subarray(4 + headerBytes)).toEqual(bytes);
  });

  test.each<[FailureCode, number]>([
    ['not_supported', -32001],
    ['permission_missing', -32002],
    ['app_not_found', -32003],
    ['timeout', -32004],
    ['busy', -32005],
    ['artifact_rejected', -32006],
    ['invalid_target', -32602],
    ['coordinates_off_screen', -32602],
    ['display_unavailable', -32603],
    ['target_gone', -32603],
    ['internal_error', -32603],
  ])('rule 8: that fails with %s is answered with %i', async (code, rpcCode) => {
    const rig = createRig({ openApp: async () => failed(code) });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    expect(errorOf(await rig.answer(0))).toEqual({
      code: rpcCode,
      message: 'No.',
      data: { code, sideEffect: 'done', fix: 'Do this.' },
    });
  });

  test('hands on the targets that were judged', async () => {
    const judged: unknown[] = [];
    const rig = createRig({
      openApp: async (_parameters, { targets }) => {
        judged.push(targets);
        return failed('invalid_target');
      },
    });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.answer(0);
    expect(judged).toEqual([[NOTES]]);
  });

  test('A13: opens no app that nobody has judged', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { targets: [{ ...NOTES, name: 'Other' }] }));
    expect(errorOf(await rig.answer(0)).data).toEqual({
      code: 'target_changed',
      sideEffect: 'none',
      fix: 'Submit it again.',
    });
    expect(rig.events).not.toContain('effect');
  });

  test('rule 8: of an unknown type is not supported, and names what is', async () => {
    const rig = createRig({});
    rig.runner.perform(perform('FormatDisk', {}));
    expect(errorOf(await rig.answer(0))).toEqual({
      code: -32001,
      message:
        'Expected one of DescribeScreen, TakeScreenshot, ResolveTargets, OpenApp, QuitApp, LookAgain, PicturePlace, ListFiles, ReadFile, WriteFile, MoveFile, TrashFile, RunScript, UndoFile, Click, MovePointer, Drag, Scroll, TypeText, PressKeys, SetValue, InvokeMenu, ListWindows, FocusWindow, MoveWindow, MinimizeWindow, CloseWindow, WaitFor, OpenUrl, ReadClipboard, WriteClipboard, RequestAccess, Wait, got "FormatDisk".',
      data: { code: 'not_supported', sideEffect: 'none' },
    });
  });

  test('with parameters of another shape is refused, and the driver does not see them', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes', sudo: true }));
    expect(errorOf(await rig.answer(0)).data).toEqual({ code: 'internal_error', sideEffect: 'none' });
    expect(rig.events).not.toContain('effect');
  });

  test.each([
    ['once', 'unknown'],
    ['idempotent', 'unknown'],
    ['pure', 'none'],
  ] as const)(
    'of class %s whose driver throws has the side effect %s, and the agent goes on',
    async (effectClass, sideEffect) => {
      const rig = createRig({ openApp: () => Promise.reject(new Error('secret detail')) });
      rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { effectClass }));
      expect(errorOf(await rig.answer(0))).toEqual({
        code: -32603,
        message: 'The device agent failed in OpenApp; its log says more.',
        data: { code: 'internal_error', sideEffect },
      });
      expect(rig.logged.join()).toContain('secret detail');
      rig.runner.perform(perform('Wait', { durationMs: 0 }, { actionId: OTHER_ACTION }));
      await rig.answer(1);
    },
  );

  test('whose driver cannot be loaded failed before anything happened', async () => {
    const rig = createRig(() => Promise.reject(new Error('no such module')));
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    expect(errorOf(await rig.answer(0)).data).toEqual({ code: 'internal_error', sideEffect: 'none' });
  });

  test('whose result is too large for a frame fails and says what to do', async () => {
    const data = { ...describedNothing, frameId: 'x'.repeat(2 * 1024 * 1024) };
    const rig = createRig({ describeScreen: async () => ({ ok: true, details: 'Much.', effect: 'none', data }) });
    rig.runner.perform(perform('DescribeScreen', {}));
    expect(errorOf(await rig.answer(0)).data).toEqual({
      code: 'internal_error',
      sideEffect: 'none',
      fix: 'Ask for less at once: fewer elements, or one display.',
    });
  });

  test('R2: whose picture is over 20 MiB fails with artifact_rejected before it is sent', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024 + 1);
    const images = [{ mediaType: 'image/png', width: 1, height: 1, bytes } as const];
    const data = { width: 1, height: 1, format: 'png', scale: 1, bounds: NOWHERE, displays: [] };
    const rig = createRig({
      takeScreenshot: async () => ({ ok: true, details: 'Big.', effect: 'none', data, images }),
    });
    rig.runner.perform(perform('TakeScreenshot', {}));
    expect(errorOf(await rig.answer(0))).toMatchObject({ code: -32006, data: { code: 'artifact_rejected' } });
  });

  test('whose words are too long has them cut, so that the daemon can take them', async () => {
    const rig = createRig({
      openApp: async () => ({ ...failed('busy'), message: 'm'.repeat(9_000), fix: 'f'.repeat(9_000) }),
    });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    const { message, data } = errorOf(await rig.answer(0));
    expect([message.length, data.fix?.length]).toEqual([4_000, 2_000]);
  });

  test('whose result cannot be put into JSON fails with an unknown effect', async () => {
    const data = { ...describedNothing };
    Object.assign(data, { frameId: 1n });
    const rig = createRig({ describeScreen: async () => ({ ok: true, details: 'Odd.', effect: 'none', data }) });
    rig.runner.perform(perform('DescribeScreen', {}, { effectClass: 'once' }));
    expect(errorOf(await rig.answer(0)).data).toEqual({ code: 'internal_error', sideEffect: 'unknown' });
  });
});

describe('stopping', () => {
  test('rule 6: a cancelled attempt is answered with -32800 and its side effect so far', async () => {
    const rig = createRig({ openApp: untilStopped({ ...failed('agent_unavailable'), sideEffect: 'done' }) });
    expect(errorOf(await cancelled(rig))).toMatchObject({ code: -32800, data: { sideEffect: 'done' } });
    expect(rig.reasons).toEqual(['requested']);
  });

  test('rule 6: an attempt that came to its end in spite of the cancel is answered as what it is', async () => {
    const { text } = await cancelled(createRig({ openApp: untilStopped(OPENED) }));
    expect(JSON.parse(text).result).toMatchObject({ effect: 'confirmed' });
  });

  test('rule 6: a cancel of another attempt, or of none, does nothing', async () => {
    const rig = createRig({ openApp: untilStopped(failed('busy')) });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.performing();
    rig.runner.cancel({ ...KEY, attempt: 2 }, 'requested');
    rig.runner.cancel({ actionId: OTHER_ACTION, attempt: 1 }, 'requested');
    expect(rig.reasons).toEqual([]);
    expect(rig.runner.inflight()).toEqual([{ ...KEY, phase: 'performing' }]);
  });

  test('at its deadline an attempt is told "timeout", and its failure is no cancellation', async () => {
    const rig = createRig({ openApp: untilStopped(failed('timeout')) });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { deadlineMs: 20 }));
    expect(errorOf(await rig.answer(0)).code).toBe(-32004);
    expect(rig.reasons).toEqual(['timeout']);
  });

  test.each([
    ['once', 'unknown'],
    ['pure', 'none'],
  ] as const)('a driver of class %s that hears no stop is given up, its effect %s', async (effectClass, sideEffect) => {
    const driver = createFakeDriver({ openApp: { beforeEffect: { mishap: 'hang' } } });
    const rig = createRig(async () => driver, { stopPatienceMs: 20 });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { effectClass }));
    await rig.performing();
    rig.runner.cancel(KEY, 'emergency_stop');
    expect(errorOf(await rig.answer(0))).toMatchObject({ code: -32800, data: { code: 'timeout', sideEffect } });
    expect(rig.runner.inflight()).toEqual([]);
  });

  test('work that was given up and ends later is not answered twice', async () => {
    let end: (outcome: Outcome<never>) => void = () => undefined;
    const late = new Promise<Outcome<never>>((resolve) => {
      end = resolve;
    });
    const rig = createRig({ openApp: () => late }, { stopPatienceMs: 10 });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    rig.runner.cancel(KEY, 'requested');
    await rig.answer(0);
    end(failed('busy'));
    await new Promise(setImmediate);
    expect(rig.events).toEqual(['accepted', 'answered']);
  });

  test('all attempts stop for the end of the agent, and each is answered', async () => {
    const rig = createRig({ openApp: untilStopped(failed('agent_unavailable')) });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    rig.runner.perform(perform('Wait', { durationMs: 60_000 }, { actionId: OTHER_ACTION }));
    await rig.performing();
    await rig.runner.stop('shutdown');
    expect([errorOf(await rig.answer(0)).code, errorOf(await rig.answer(1)).code]).toEqual([-32800, -32800]);
  });

  test('D4: while the daemon is stuck attempts that can have an effect are stopped and fail, and reads go on', async () => {
    const rig = createRig({
      openApp: (_parameters, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve(stoppedFailure(signal, 'unknown')), { once: true }),
        ),
    });
    expect(rig.runner.isActing()).toBe(false);
    rig.runner.perform(perform('Wait', { durationMs: 60_000 }, { actionId: OTHER_ACTION, effectClass: 'pure' }));
    expect(rig.runner.isActing()).toBe(false);
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.performing();
    expect(rig.runner.isActing()).toBe(true);
    rig.runner.callOff();
    expect(errorOf(await rig.answer(0))).toEqual({
      code: -32603,
      message:
        "Handrail's daemon did not answer for 2 s and could not have stopped this, so the agent stopped it; something may have been done by then.",
      data: { code: 'internal_error', sideEffect: 'unknown' },
    });
    expect(rig.runner.inflight()).toMatchObject([{ actionId: OTHER_ACTION, attempt: 1 }]);
  });

  test('an agent that broke answers every attempt: unknown if it had begun, none if not', async () => {
    const rig = createRig({ openApp: () => new Promise(() => undefined) });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.performing();
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { actionId: OTHER_ACTION }));
    rig.runner.abandon('Broken.');
    const effects = [errorOf(await rig.answer(0)), errorOf(await rig.answer(1))].map(({ data }) => data.sideEffect);
    expect(effects).toEqual(['unknown', 'none']);
    expect(rig.runner.inflight()).toEqual([]);
  });
});

describe('Wait', () => {
  test('lasts as long as it is told to and needs no driver', async () => {
    const rig = createRig(() => Promise.reject(new Error('no driver')));
    const startedAtMs = performance.now();
    rig.runner.perform(perform('Wait', { durationMs: 30 }));
    const answer = await rig.answer(0);
    expect(performance.now() - startedAtMs).toBeGreaterThan(28);
    expect(JSON.parse(answer.text).result).toEqual({
      details: 'Waited 30 ms.',
      effect: 'none',
      data: { waitedMs: 30 },
      attachments: [],
    });
  });

  test('ends at its deadline with timeout', async () => {
    const rig = createRig({});
    rig.runner.perform(perform('Wait', { durationMs: 60_000 }, { deadlineMs: 10 }));
    expect(errorOf(await rig.answer(0)).data).toEqual({ code: 'timeout', sideEffect: 'none' });
  });

  test('ends when it is cancelled', async () => {
    const rig = createRig({});
    rig.runner.perform(perform('Wait', { durationMs: 60_000 }));
    rig.runner.cancel(KEY, 'requested');
    expect(errorOf(await rig.answer(0))).toMatchObject({ code: -32800, data: { sideEffect: 'none' } });
  });
});

describe('the same attempt again', () => {
  test('is not performed twice while it runs, and has one answer', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.idle();
    expect(rig.events).toEqual(['accepted', 'effect', 'answered']);
  });

  test('is answered with what is kept of it', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.answer(0);
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    expect(rig.events).toEqual(['accepted', 'effect', 'answered', 'again']);
  });

  test('rule 8: is stale once its answer was acknowledged', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    await rig.answer(0);
    rig.kept.clear();
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    expect(errorOf(await rig.answer(1))).toMatchObject({ code: -32007, data: { sideEffect: 'unknown' } });
    expect(rig.events.filter((event) => event === 'effect')).toHaveLength(1);
  });

  test('rule 8: an attempt before the last one is stale', async () => {
    const rig = createRig({ openApp: async () => record(rig, 'effect') });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { attempt: 2 }));
    await rig.answer(0);
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { attempt: 1 }));
    expect(errorOf(await rig.answer(1)).code).toBe(-32007);
  });

  test('rule 8: a later attempt while an earlier one runs is busy, and nothing is done', async () => {
    const rig = createRig({ openApp: untilStopped(failed('busy')) });
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
    rig.runner.perform(perform('OpenApp', { appName: 'Notes' }, { attempt: 2 }));
    expect(errorOf(await rig.answer(0))).toMatchObject({ code: -32005, data: { code: 'busy', sideEffect: 'none' } });
  });

  test('rule 8: beyond 1024 attempts at once the agent is busy', async () => {
    const rig = createRig({});
    for (const actionId of actionIds(1_024)) rig.runner.perform(perform('Wait', { durationMs: 60_000 }, { actionId }));
    expect(rig.events).not.toContain('answered');
    rig.runner.perform(perform('Wait', { durationMs: 60_000 }));
    expect(errorOf(await rig.answer(0)).code).toBe(-32005);
    await rig.runner.stop('shutdown');
  });

  test.each([
    [9_999, -32007],
    [10_000, undefined],
  ])('an attempt before the last one, with %d other actions since, is answered with %s', async (others, code) => {
    const rig = createRig({});
    rig.runner.perform(perform('Wait', { durationMs: 0 }, { attempt: 2 }));
    await rig.answer(0);
    // Most of them are refused, because too many run at once. They are remembered all the same.
    for (const actionId of actionIds(others)) rig.runner.perform(perform('Wait', { durationMs: 60_000 }, { actionId }));
    await rig.runner.stop('shutdown');
    rig.runner.perform(perform('Wait', { durationMs: 0 }, { attempt: 1 }));
    const { text } = await rig.answer(others + 1);
    expect(JSON.parse(text).error?.code).toBe(code);
  });
});

const actionIds = (count: number) =>
  Array.from({ length: count }, (_value, index) => `act_${String(index).padStart(26, '0')}`);

const NOWHERE = { x: 0, y: 0, width: 1, height: 1 };

const OPENED = {
  ok: true,
  details: 'Notes is open.',
  effect: 'confirmed',
  data: { appName: 'Notes', pid: 1, alreadyRunning: false, frontmost: true },
} as const;

const describedNothing = {
  displays: [],
  frontmostApp: null,
  apps: [],
  windows: [],
  elements: [],
  text: [],
  focusedElement: null,
  frameId: 'frame',
  complete: true,
  degradedReasons: [],
};

type Rig = ReturnType<typeof createRig>;

type Deeds = Partial<Pick<Driver, 'openApp' | 'takeScreenshot' | 'describeScreen'>>;

/** A runner over a driver that does what the test wants, and the keeping of answers that the link client has. */
function createRig(driver: Deeds | (() => Promise<Driver>), { stopPatienceMs = 5_000 } = {}) {
  /** `accepted`, `effect`, `answered`, and `again` for an answer that was kept. */
  const events: string[] = [];
  const logged: string[] = [];
  /** Why the driver was told to stop. */
  const reasons: unknown[] = [];
  const answers: ResultMessage[] = [];
  const kept = new Map<string, ResultMessage>();
  const load = typeof driver === 'function' ? driver : async () => Object.assign(createFakeDriver(), driver);
  const runner = createRunner({
    driver: async () => noting(await load(), reasons),
    accepted: () => events.push('accepted'),
    answered(key, answer) {
      events.push('answered');
      answers.push(answer);
      kept.set(idOf(key), answer);
    },
    answerAgain(key) {
      if (!kept.has(idOf(key))) return false;
      events.push('again');
      return true;
    },
    log: (line) => logged.push(line),
    stopPatienceMs,
  });
  const until = (assertion: () => void) => vi.waitFor(assertion, { ...PATIENCE, interval: 1 });
  return {
    runner,
    events,
    logged,
    reasons,
    kept,
    async answer(index: number) {
      await until(() => expect(answers.length).toBeGreaterThan(index));
      const answer = answers[index];
      if (answer === undefined) throw new Error(`there is no answer ${index}`);
      return answer;
    },
    performing: () => until(() => expect(runner.inflight().map(({ phase }) => phase)).toContain('performing')),
    idle: () => until(() => expect(runner.inflight()).toEqual([])),
  };
}

/** The driver, noting why each attempt to open an app is stopped. */
function noting(driver: Driver, reasons: unknown[]): Driver {
  const openApp = driver.openApp.bind(driver);
  return Object.assign(driver, {
    openApp(...[parameters, attempt]: Parameters<Driver['openApp']>) {
      attempt.signal.addEventListener('abort', () => reasons.push(attempt.signal.reason));
      return openApp(parameters, attempt);
    },
  });
}

/** The answer of an attempt that is cancelled while it is performed. */
async function cancelled(rig: Rig): Promise<ResultMessage> {
  rig.runner.perform(perform('OpenApp', { appName: 'Notes' }));
  await rig.performing();
  rig.runner.cancel(KEY, 'requested');
  return rig.answer(0);
}

function untilStopped(outcome: Awaited<ReturnType<Driver['openApp']>>): Driver['openApp'] {
  return (_parameters, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(outcome));
    });
}

function record(rig: Rig, event: string): typeof OPENED {
  rig.events.push(event);
  return OPENED;
}

function failed(code: FailureCode) {
  return { ok: false, code, message: 'No.', sideEffect: 'done', fix: 'Do this.' } as const;
}

function perform(
  actionType: string,
  parameters: Record<string, unknown>,
  changes: Partial<PerformParams> = {},
): PerformParams {
  return {
    ...KEY,
    actionType,
    parameters,
    capabilities: {},
    effectClass: 'idempotent',
    deadlineMs: 30_000,
    digest: 'a'.repeat(64),
    ...(parameters.appName === 'Notes' && { targets: [NOTES] }),
    ...changes,
  };
}

type RpcError = { code: number; message: string; data: { code: string; sideEffect: string; fix?: string } };

function errorOf({ text }: ResultMessage): RpcError {
  return JSON.parse(text).error;
}

function idOf({ actionId, attempt }: AttemptKey): string {
  return `${actionId}/${attempt}`;
}
