import { describe, expect } from 'vitest';
import type { ResolvedWindow } from '../../src/contract/screen.ts';
import type { TargetReference } from '../../src/contract/targets.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { planOf } from '../http/confirmation-queue.ts';
import { decide, onlyPrompt, show } from './answers.ts';
import { answerLook, lookedAt, looksOf } from './looks.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, type Step, settle, stepOf, stepsNow, submitTask, submittedTask, taskNow } from './tasks-rig.ts';

const NOTES: ResolvedWindow = {
  id: '0x01400003',
  app: 'Mousepad',
  pid: 4711,
  title: 'notes.txt',
  bounds: { x: 100, y: 80, width: 800, height: 600 },
};
const SHOT = { actionType: 'TakeScreenshot', parameters: { windowId: NOTES.id } };
const gone = notDone({
  code: 'target_gone',
  message: 'No such window.',
  fix: 'Describe the screen: it names the windows that are there now.',
});

/** Submits, and lets the agent say which window it is. */
async function submitted(rig: Rig, window: ResolvedWindow | null = NOTES, body: object = SHOT) {
  const action = rig.submitted(body);
  await settle();
  await answerLook(rig, window ?? gone);
  return action;
}

function captures({ agent }: Rig) {
  return agent.sent.filter(({ actionType }) => actionType === 'TakeScreenshot');
}

describe('an action that names a window', () => {
  test('asks the agent which window that is before the person is asked, and tells the person', async ({ rig }) => {
    const submission = rig.submitted(SHOT);
    await settle();
    expect(looksOf(rig)).toMatchObject([
      { parameters: { references: [{ kind: 'window', windowId: NOTES.id }] }, effectClass: 'pure' },
    ]);
    expect(rig.services.console.confirmations.list()).toEqual([]);
    await answerLook(rig, NOTES);
    expect((await submission).status).toBe('awaiting_confirmation');
    expect(onlyPrompt(rig).prompt).toMatchObject({
      sentence: 'Take a screenshot of the window “notes.txt” of “Mousepad”, 800 × 600',
      window: '“notes.txt” of “Mousepad”, process 4711, 800 × 600 at 100, 80',
      arguments: `{"windowId":"${NOTES.id}"}`,
    });
  });

  test('is sent with the window that the person was told about', async ({ rig }) => {
    await submitted(rig);
    await answerPrompt(rig, 'allow');
    expect(captures(rig)).toMatchObject([{ parameters: { windowId: NOTES.id }, targets: [{ window: NOTES }] }]);
  });

  test('fails without a prompt when no window has the id', async ({ rig }) => {
    const action = await submitted(rig, null);
    expect(action).toMatchObject({
      status: 'failed',
      effect: 'none',
      details: 'No such window.',
      error: { code: 'target_gone', fix: 'Describe the screen: it names the windows that are there now.' },
    });
    expect(rig.services.actions.get('ann', action.actionId)).toMatchObject({ status: 'failed' });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    expect(captures(rig)).toEqual([]);
    expect(rig.kinds().filter((kind) => /^(action|confirmation)\./.test(kind))).toEqual([
      'action.requested',
      'action.undeliverable',
    ]);
  });

  test.each([
    ['2,999 ms, is asked about', 2_999, 'awaiting_confirmation', undefined],
    ['3,000 ms, fails and can be tried again', 3_000, 'failed', 'agent_unavailable'],
  ])('whose window the agent tells after %s', async (_what, afterMs, status, code) => {
    const rig = startServices();
    const submission = rig.submitted(SHOT);
    await settle();
    rig.clock.advance(afterMs);
    await answerLook(rig, NOTES);
    const action = await submission;
    expect([action.status, action.error?.code]).toEqual([status, code]);
  });

  test('fails when the agent describes the window in a way that is not understood', async ({ rig }) => {
    const submission = rig.submitted(SHOT);
    await settle();
    await rig.agent.answer(done({ data: { targets: [{ kind: 'window', windowId: NOTES.id, window: { app: 'x' } }] } }));
    expect(await submission).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
    expect(rig.services.console.confirmations.list()).toEqual([]);
  });

  test.each([
    ['app', { app: 'Keyring' }],
    ['process', { pid: 4712 }],
    ['title', { title: 'Password reset code' }],
    ['size', { bounds: { ...NOTES.bounds, width: 1_000 } }],
    ['place', { bounds: { ...NOTES.bounds, y: 0 } }],
  ])('has another digest when the window has another %s', async (_what, change) => {
    const rig = startServices();
    await submitted(rig);
    await submitted(rig, { ...NOTES, ...change });
    await submitted(rig);
    const [first, other, same] = rig.services.console.confirmations.list().map(({ actionDigest }) => actionDigest);
    expect(other).not.toBe(first);
    expect(same).toBe(first);
  });

  test.each([
    ['is there', NOTES],
    ['is gone', gone],
  ])('is blocked whether its window is there or not: it %s', async (_what, found) => {
    const rig = startServices();
    rig.services.console.profiles.assign('ann', 'observe');
    const submission = rig.submitted(SHOT);
    await settle();
    await answerLook(rig, found);
    expect(await submission).toMatchObject({ status: 'blocked' });
  });

  test('runs without a prompt where the profile allows it, bound to the window that it was when it was submitted', async () => {
    const rig = startServices();
    rig.services.console.profiles.assign('ann', 'trusted');
    expect((await submitted(rig)).status).toBe('running');
    expect(rig.services.console.confirmations.list()).toEqual([]);
    expect(captures(rig)).toMatchObject([{ targets: [{ window: NOTES }] }]);
  });

  test('is judged again once the agent has answered, so that a rule made meanwhile blocks it', async ({ rig }) => {
    const submission = rig.submitted(SHOT);
    await settle();
    rig.services.console.profiles.assign('ann', 'observe');
    await answerLook(rig, NOTES);
    expect((await submission).status).toBe('blocked');
  });

  test('keeps its window over a restart, and forgets it with its parameters', async ({ rig }) => {
    const { actionId } = await submitted(rig);
    const after = rig.crashAndRestart();
    expect(after.store.actions.findById(actionId)?.targets).toEqual([
      { kind: 'window', windowId: NOTES.id, window: NOTES },
    ]);
    after.store.write('relaxed', () => after.store.actions.forgetContents([actionId], Number.MAX_SAFE_INTEGER));
    expect(after.store.actions.findById(actionId)?.targets).toBeUndefined();
  });

  test('does not tell the caller the title of the window', async ({ rig }) => {
    const action = await submitted(rig);
    expect(action.details).toContain(NOTES.id);
    expect(JSON.stringify(action)).not.toContain(NOTES.title);
  });

  test('that asks no window costs no question', async ({ rig }) => {
    await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
    expect(looksOf(rig)).toEqual([]);
  });
});

describe('the words for a window that an app has chosen', () => {
  test('end neither the quotation nor the line, and hide nothing', async ({ rig }) => {
    const title = 'a” of “Notes”, 1 × 1\n\u202eand\u200b';
    await submitted(rig, { ...NOTES, title, app: 'Mouse”pad' });
    expect(onlyPrompt(rig).prompt.sentence).toBe(
      'Take a screenshot of the window “a\\u{201d} of \\u{201c}Notes\\u{201d}, 1 × 1\\u{a}\\u{202e}and\\u{200b}” of “Mouse\\u{201d}pad”, 800 × 600',
    );
  });

  test.each([
    [100, 't'.repeat(100)],
    [101, `${'t'.repeat(99)}…`],
  ])('of %i characters are in the sentence as they are or cut, and whole in the facts', async (length, shown) => {
    const rig = startServices();
    const title = 't'.repeat(length);
    await submitted(rig, { ...NOTES, title, pid: null });
    const { prompt } = onlyPrompt(rig);
    expect(prompt.sentence).toBe(`Take a screenshot of the window “${shown}” of “Mousepad”, 800 × 600`);
    expect(prompt.window).toBe(`“${title}” of “Mousepad”, process unknown, 800 × 600 at 100, 80`);
  });

  test('say so when there is no title', async ({ rig }) => {
    await submitted(rig, { ...NOTES, title: '' });
    expect(onlyPrompt(rig).prompt.sentence).toBe(
      'Take a screenshot of the window without a title of “Mousepad”, 800 × 600',
    );
  });
});

describe('no standing answer for the id of a window', () => {
  test('only once is offered, and no longer answer is taken', async ({ rig }) => {
    await submitted(rig);
    expect(onlyPrompt(rig).scopes.map(({ scope }) => scope)).toEqual(['once']);
    show(rig, 1_000);
    for (const scope of ['task', 'minutes15', 'untilQuit', 'always'] as const)
      expect(decide(rig, 'allow', { scope }), scope).toMatchObject({ refused: 'validation_failed' });
    expect(decide(rig, 'allow')).not.toHaveProperty('refused');
    expect(rig.services.console.grants.list()).toEqual([]);
  });

  test('a step of a task offers none for its task either', async ({ rig }) => {
    await submittedTask(rig, [{ id: 'list', actionType: 'DescribeScreen', parameters: {} }, fromList]);
    await rig.agent.answer(done({ data: { windows: [{ id: NOTES.id }] } }));
    await settle();
    await answerLook(rig, NOTES);
    await settle();
    expect(onlyPrompt(rig).scopes.map(({ scope }) => scope)).toEqual(['once']);
  });

  test('a grant that is there all the same lets nothing through', async ({ rig }) => {
    const createdAtMs = rig.clock.nowMs();
    rig.store.write('durable', () =>
      rig.store.grants.insert({
        id: 'grt_old',
        userId: 'ann',
        actionType: SHOT.actionType,
        deviceId: rig.deviceId,
        arguments: JSON.stringify(SHOT.parameters),
        literal: 'ann may take it',
        scope: 'always',
        createdAtMs,
        unusedMs: 1_000_000,
        expiresAtMs: createdAtMs + 1_000_000,
      }),
    );
    expect((await submitted(rig)).status).toBe('awaiting_confirmation');
  });
});

const fromList = {
  id: 'shot',
  actionType: 'TakeScreenshot',
  parameters: { windowId: { $from: 'list.data.windows.0.id' } },
  dependsOn: ['list'],
};

describe('a step of a task that names a window', () => {
  const shot = { id: 'shot', ...SHOT };

  async function submittedPlan(rig: Rig, window: ResolvedWindow | null = NOTES, step: object = {}) {
    const answer = submitTask(rig, [{ ...shot, ...step }]);
    await settle();
    await answerLook(rig, window ?? gone);
    const submittedAnswer = await answer;
    if (isRefusal(submittedAnswer) || submittedAnswer.kind !== 'task') throw new Error('expected a task');
    await settle();
    return submittedAnswer.task.taskId;
  }

  test('is asked about with the plan, with the window as it is then, and captures no other', async ({ rig }) => {
    await submittedPlan(rig);
    const [step] = planOf(onlyPrompt(rig))?.steps ?? [];
    expect(step).toMatchObject({
      consent: 'asked',
      sentence: 'Take a screenshot of the window “notes.txt” of “Mousepad”, 800 × 600',
      window: '“notes.txt” of “Mousepad”, process 4711, 800 × 600 at 100, 80',
    });
    await answerPrompt(rig, 'allow');
    expect(captures(rig)).toMatchObject([{ targets: [{ window: NOTES }] }]);
    expect(looksOf(rig)).toHaveLength(1);
  });

  test('is left out of the plan when no window has the id, and fails without a prompt when it is its turn', async () => {
    const rig = startServices();
    const taskId = await submittedPlan(rig, null);
    expect(rig.services.console.confirmations.list()).toEqual([]);
    await answerLook(rig, gone);
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'failed' });
    expect(taskNow(rig, taskId).steps[0]?.error).toMatchObject({ code: 'target_gone' });
    expect(captures(rig)).toEqual([]);
  });

  test('is looked up again for each of its attempts, as often as it may be tried', async ({ rig }) => {
    const taskId = await submittedPlan(rig, null, { retry: { maxAttempts: 2, backoffMs: 100 } });
    await answerLook(rig, gone);
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'pending' });
    rig.clock.advance(100);
    await settle();
    await answerLook(rig, NOTES);
    await settle();
    expect(onlyPrompt(rig).prompt.window).toContain('notes.txt');
  });

  test('that takes its window from an earlier step asks by itself, once that is known', async ({ rig }) => {
    await submittedTask(rig, [{ id: 'list', actionType: 'DescribeScreen', parameters: {} }, fromList]);
    expect(looksOf(rig)).toEqual([]);
    await rig.agent.answer(done({ data: { windows: [{ id: NOTES.id }] } }));
    await settle();
    expect(looksOf(rig)).toMatchObject([{ parameters: { references: [{ windowId: NOTES.id }] } }]);
    expect(rig.services.console.confirmations.list()).toEqual([]);
    await answerLook(rig, NOTES);
    await settle();
    expect(onlyPrompt(rig).prompt.sentence).toContain('“notes.txt” of “Mousepad”');
    await answerPrompt(rig, 'allow');
    expect(captures(rig)).toMatchObject([{ targets: [{ window: NOTES }] }]);
  });

  test('runs without a prompt where the profile allows it, bound to the window of its turn', async ({ rig }) => {
    rig.services.console.profiles.assign('ann', 'trusted');
    const submission = submittedTask(rig, [shot]);
    await settle();
    await answerLook(rig, { ...NOTES, title: 'as the task was submitted' });
    await submission;
    await settle();
    await answerLook(rig, NOTES);
    await settle();
    expect(captures(rig)).toMatchObject([{ targets: [{ window: NOTES }] }]);
  });
});

describe('a dry run', () => {
  test('shows the window that an id leads to, and records nothing', async ({ rig }) => {
    const answer = rig.submit({ ...SHOT, dryRun: true });
    await settle();
    await answerLook(rig, NOTES);
    expect(await answer).toMatchObject({
      dryRun: { verdict: 'ask', target: '“notes.txt” of “Mousepad”, process 4711, 800 × 600 at 100, 80' },
    });
    expect(rig.kinds()).not.toContain('action.requested');
  });

  test('says that no window has the id', async ({ rig }) => {
    const answer = rig.submit({ ...SHOT, dryRun: true });
    await settle();
    await answerLook(rig, gone);
    expect(await answer).toMatchObject({
      dryRun: { target: null, details: expect.stringContaining('No such window.') },
    });
  });

  test.each(['lockdown', 'observe'])(
    'under %s, where the windows may not be listed like that, tells no title',
    async (profile) => {
      const rig = startServices();
      rig.services.console.profiles.assign('ann', profile);
      const answer = rig.submit({ ...SHOT, dryRun: true });
      await settle();
      await answerLook(rig, NOTES);
      expect(await answer).toMatchObject({ dryRun: { target: null } });
      expect(JSON.stringify(await answer)).not.toContain(NOTES.title);
    },
  );
});

describe('a dry run of a task', () => {
  const dryRun = (rig: Rig, steps: readonly Step[]) =>
    submitTask(rig, steps, { body: { steps: steps.map((step) => stepOf(rig, step)), dryRun: true } });
  const OTHER = { ...NOTES, id: '0x01400004', title: 'Inbox' };
  const shotOf = (windowId: string) => ({ ...SHOT, parameters: { windowId } });

  /** Answers each look once it was asked for, and says how many windows it named. */
  async function answerAll(rig: Rig, windowOf: (id: string) => ResolvedWindow | undefined): Promise<number[]> {
    const counts: number[] = [];
    for (let from = 0; ; ) {
      await settle();
      const asked = looksOf(rig).slice(from);
      if (asked.length === 0) return counts;
      from += asked.length;
      for (const look of asked) {
        const references = look.parameters.references as TargetReference[];
        const ids = references.flatMap((each) => (each.kind === 'window' ? each.windowId : []));
        counts.push(ids.length);
        const found = ids.map((id) => windowOf(id) ?? gone);
        rig.agent.listener.finished(
          { actionId: look.actionId, attempt: look.attempt },
          lookedAt(look, rig.agent.apps, found),
        );
      }
    }
  }

  test('shows the windows and apps that its steps lead to, asks about each window once, and records nothing', async () => {
    const rig = startServices();
    const mousepad = { appName: 'Mousepad', bundleId: 'org.xfce.mousepad', risks: [] };
    rig.agent.apps.set('mousepad', done({ data: mousepad }));
    const answer = dryRun(rig, [
      { id: 'one', ...shotOf(NOTES.id) },
      { id: 'again', ...shotOf(NOTES.id) },
      { id: 'other', ...shotOf(OTHER.id) },
      { id: 'none', ...shotOf('0x01400009') },
      { id: 'open', actionType: 'OpenApp', parameters: { appName: 'mousepad' } },
      { id: 'later', actionType: 'Wait', parameters: { durationMs: { $from: 'one.data.width' } }, dependsOn: ['one'] },
    ]);
    const windows = new Map([NOTES, OTHER].map((window) => [window.id, window]));
    expect(await answerAll(rig, (id) => windows.get(id))).toEqual([3]);
    const notes = '“notes.txt” of “Mousepad”, process 4711, 800 × 600 at 100, 80';
    expect(await answer).toMatchObject({
      dryRun: {
        steps: [
          { id: 'one', verdict: 'ask', target: notes },
          { id: 'again', verdict: 'ask', target: notes },
          { id: 'other', verdict: 'ask', target: '“Inbox” of “Mousepad”, process 4711, 800 × 600 at 100, 80' },
          { id: 'none', target: null, details: expect.stringContaining('The agent says: No such window.') },
          { id: 'open', verdict: 'allow', target: 'Mousepad (org.xfce.mousepad)' },
          { id: 'later', target: null },
        ],
      },
    });
    expect(rig.kinds().filter((kind) => /^(action|task)\./.test(kind))).toEqual([]);
  });

  test.each(['lockdown', 'observe'])(
    'under %s, where the windows may not be listed like that, tells no title',
    async (profile) => {
      const rig = startServices();
      rig.services.console.profiles.assign('ann', profile);
      const answer = dryRun(rig, [{ id: 'shot', ...SHOT }]);
      await settle();
      await answerLook(rig, NOTES);
      expect(await answer).toMatchObject({ dryRun: { steps: [{ target: null }] } });
      expect(JSON.stringify(await answer)).not.toContain(NOTES.title);
    },
  );

  test('asks about at most 64 windows at one time, and about all of them', async ({ rig }) => {
    const ids = Array.from({ length: 70 }, (_, index) => `0x${index}`);
    const answer = dryRun(
      rig,
      ids.map((id, index) => ({ id: `s${index}`, ...shotOf(id) })),
    );
    expect(await answerAll(rig, (id) => ({ ...NOTES, id, title: id }))).toEqual([64, 6]);
    const answered = await answer;
    const steps = 'kind' in answered && answered.kind === 'dryRun' ? answered.dryRun.steps : [];
    expect(steps.map(({ target }) => target?.split(/[“”]/)[1])).toEqual(ids);
  });
});
