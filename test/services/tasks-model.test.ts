import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunIf, Task } from '../../src/contract/task.ts';
import { dataDirectoryAt } from '../../src/store/data-directory.ts';
import { auditJournal } from '../../src/store/journal-audit.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { answerPrompt, type Step, settle, submittedTask, taskNow } from './tasks-rig.ts';

const KINDS = {
  pure: { actionType: 'Wait', parameters: { durationMs: 0 } },
  idempotent: { actionType: 'OpenApp', parameters: { appName: 'mousepad' } },
  once: { actionType: 'QuitApp', parameters: { appName: 'mousepad' } },
  asking: { actionType: 'TakeScreenshot', parameters: {} },
} as const;
type Kind = keyof typeof KINDS;

const plans = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, index) =>
      fc.record({
        kind: fc.constantFrom<Kind>('pure', 'idempotent', 'once', 'asking'),
        dependsOn: fc.subarray(Array.from({ length: index }, (_unused, before) => `s${before}`)),
        runIf: fc.constantFrom<RunIf>('success', 'success', 'failure', 'always'),
        maxAttempts: fc.integer({ min: 1, max: 3 }),
      }),
    ),
  ),
);

const happenings = fc.array(
  fc.record({
    does: fc.constantFrom(
      'succeed',
      'succeed',
      'fail',
      'answer twice',
      'lose the agent',
      'crash',
      'allow',
      'deny',
      'wait',
      'cancel',
    ),
    which: fc.nat(),
  }),
  { maxLength: 25 },
);
/** Under `trusted` nothing here asks, so more of it is under way when something happens. */
const wishes = fc.record({
  onFailure: fc.constantFrom<'stop' | 'continue'>('stop', 'continue'),
  profile: fc.constantFrom('assist', 'trusted'),
});

type Plan = { kind: Kind; dependsOn: string[]; runIf: RunIf; maxAttempts: number };
type Happening = { does: string; which: number };

/** The world outside of the daemon: the frames that ever left it, over all its lives, and the one task it has. */
class World {
  rig: Rig;
  task: Task;
  readonly sentFor = new Map<string, number>();
  #seen = 0;

  constructor(rig: Rig, task: Task) {
    this.rig = rig;
    this.task = task;
  }

  async let(happening: Happening): Promise<void> {
    await this.#do(happening);
    await settle();
    this.#countSent();
    this.task = taskNow(this.rig, this.task.taskId);
  }

  async #do({ does, which }: Happening): Promise<void> {
    const open = this.rig.agent.sent;
    const params = open[which % Math.max(1, open.length)];
    if (does === 'succeed' && params !== undefined) await this.rig.agent.answer(done(), params);
    if (does === 'fail' && params !== undefined) await this.rig.agent.answer(notDone(), params);
    if (does === 'answer twice' && params !== undefined) {
      await this.rig.agent.answer(done(), params);
      await this.rig.agent.answer(notDone(), params);
    }
    if (does === 'lose the agent') this.rig.agent.listener.lost();
    if (does === 'crash') this.#crash();
    if (does === 'wait') this.rig.clock.advance(10_000);
    if (does === 'cancel') this.rig.services.tasks.cancel('ann', this.task.taskId);
    const isAsked = this.rig.services.console.confirmations().length > 0;
    if ((does === 'allow' || does === 'deny') && isAsked) await answerPrompt(this.rig, does);
  }

  #crash(): void {
    this.#countSent();
    this.rig = this.rig.crashAndRestart();
    this.#seen = 0;
  }

  #countSent(): void {
    for (const { actionId } of this.rig.agent.sent.slice(this.#seen)) {
      const stepId = String(this.rig.store.actions.findById(actionId)?.stepId);
      this.sentFor.set(stepId, (this.sentFor.get(stepId) ?? 0) + 1);
    }
    this.#seen = this.rig.agent.sent.length;
  }
}

const ENDS = ['success', 'failed', 'skipped', 'cancelled', 'denied', 'expired', 'blocked'];

/** What was final stays as it was, and a task that has ended has only ended steps. */
function expectOnward(before: Task, after: Task): void {
  for (const [index, step] of before.steps.entries()) {
    if (ENDS.includes(step.status) || step.status === 'unknown') expect(after.steps[index]).toEqual(step);
  }
  const ended = after.steps.filter(({ status }) => ENDS.includes(status));
  expect(after.progress).toEqual({ done: ended.length, total: after.steps.length });
  expect(after.finishedAt !== undefined).toBe(ended.length === after.steps.length);
}

/** The person and the agent answer everything, until nothing is left to answer. */
async function untilRest(world: World): Promise<void> {
  for (let round = 0; round < 80 && world.task.finishedAt === undefined; round += 1) {
    const does = ['allow', 'succeed', 'wait'][round % 3] ?? 'wait';
    for (const which of [0, 1, 2, 3, 4, 5, 6, 7]) await world.let({ does, which });
  }
}

function stepsOf(plan: readonly Plan[]): Step[] {
  return plan.map(({ kind, dependsOn, runIf, maxAttempts }, index) => {
    const retry = kind === 'once' ? {} : { retry: { maxAttempts, backoffMs: 1_000 } };
    return { id: `s${index}`, ...KINDS[kind], dependsOn, runIf, ...retry };
  });
}

function expectAtRest({ task, sentFor }: World, plan: readonly Plan[]): void {
  const isUnknown = task.steps.some(({ status }) => status === 'unknown');
  expect(task).toMatchObject(isUnknown ? { status: 'needs_attention' } : { finishedAt: expect.any(String) });
  const once = plan.flatMap(({ kind }, index) => (kind === 'once' ? [`s${index}`] : []));
  expect(once.filter((id) => (sentFor.get(id) ?? 0) > 1)).toEqual([]);
}

test('whatever happens, a task comes to rest, sends no once step twice, and restarts change nothing then', async () => {
  await fc.assert(
    fc.asyncProperty(plans, wishes, happenings, async (plan, { onFailure, profile }, events) => {
      const rig = startServices({ endedByCaller: true });
      rig.services.console.assignProfile('ann', profile);
      const world = new World(rig, await submittedTask(rig, stepsOf(plan), { onFailure }));
      for (const event of events) {
        const before = world.task;
        await world.let(event);
        expectOnward(before, world.task);
      }
      await untilRest(world);
      expectAtRest(world, plan);
      const atRest = world.task;
      await world.let({ does: 'crash', which: 0 });
      expect(world.task).toEqual(atRest);
      expect(auditJournal(dataDirectoryAt(world.rig.store.path))).toMatchObject({ valid: true });
      world.rig.end();
    }),
    { numRuns: 40 },
  );
}, 60_000);
