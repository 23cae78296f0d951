import { expect } from 'vitest';
import { endOfTask } from '../../renderer/src/activity/task-words.ts';
import { timelineOf } from '../../renderer/src/activity/timeline.ts';
import { oversightWords } from '../../renderer/src/guardian/oversight-words.ts';
import type { ActivityDetail } from '../../src/contract/activity.ts';
import type { MetricType } from '../../src/contract/guardian.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { parsedPage } from './page-items.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, settle, submittedTask } from './tasks-rig.ts';

const PERSON = { kind: 'person' } as const;
const DAY = { lengthMs: 24 * 3_600_000 };
const MINUTE_MS = 60_000;

const quit = (name: string) => ({ actionType: 'QuitApp', parameters: { appName: name } });
const plan = (rig: Rig, name: string) => submittedTask(rig, [{ id: 'quit', ...quit(name) }], { name });

async function ask(rig: Rig, name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push((await rig.submitted(quit(`${name}-${number}`))).actionId);
  return ids;
}

async function answered(rig: Rig, name: string, decision: 'allow' | 'deny'): Promise<void> {
  await rig.submitted(quit(name));
  await answerPrompt(rig, decision);
  if (decision === 'allow') await rig.agent.answer(done());
}

/** Every way in which a prompt ends: three denials and three approvals of the person, and all that are no answers. */
async function play(rig: Rig): Promise<void> {
  await answered(rig, 'yes-1', 'allow');
  await answered(rig, 'no-1', 'deny');
  await rig.submitted(quit('no-1'));
  await answered(rig, 'yes-2', 'allow');
  await answered(rig, 'no-2', 'deny');
  await answered(rig, 'yes-3', 'allow');
  await plan(rig, 'no-plan');
  await answerPrompt(rig, 'deny');
  await plan(rig, 'no-plan');

  await ask(rig, 'stopped', 14);
  await plan(rig, 'stopped-plan');
  rig.services.console.pause();
  await rig.services.console.resume();

  await ask(rig, 'expired', 2);
  await plan(rig, 'expired-plan');
  rig.clock.advance(15 * MINUTE_MS);

  for (const id of await ask(rig, 'withdrawn', 2)) rig.services.actions.cancel('ann', id);
  rig.services.tasks.cancel('ann', (await plan(rig, 'withdrawn-plan')).taskId);

  await plan(rig, 'void-plan');
  rig.services.console.profiles.assign('ann', 'trusted');
  await rig.sent();
  await rig.agent.answer(done());
  rig.clock.advance(MINUTE_MS);
  await settle();
}

function detailOf(rig: Rig, actionId: string): ActivityDetail {
  const detail = rig.services.console.activity.detail(actionId);
  if (isRefusal(detail)) throw new Error(detail.detail);
  return detail;
}

const names = (name: string, count: number) => Array.from({ length: count }, (_, number) => `${name}-${number}`);

/** What the requests were about, oldest first, by their status and the answer that their pages tell. */
async function told(rig: Rig): Promise<Record<string, string[]>> {
  const { items } = await parsedPage(rig.services.console.activity.list({}, { limit: 100 }));
  const byWords: Record<string, string[]> = {};
  for (const { actionId, status } of items.toReversed()) {
    const detail = detailOf(rig, actionId);
    const words = timelineOf(detail).find((event) => event.name === 'answered')?.words ?? 'Not asked';
    const about = detail.sentence?.match(/“(.*)”/u)?.[1] ?? actionId;
    byWords[`${status}: ${words}`] = [...(byWords[`${status}: ${words}`] ?? []), about];
  }
  return byWords;
}

/** The parts of a metric: name, count and of how many. */
function partsOf({ services }: Rig, type: MetricType) {
  const wanted = { types: [type], points: 1, withUsual: false, breakdownOf: type };
  const groups = services.guardian.consoleSeries(DAY, wanted).breakdown?.groups ?? [];
  return groups.flatMap(({ items }) => items.map(({ name, count, total }) => [name, count, total]));
}

test('stop, expiry, withdrawal, void plan and denial: every reader finds the answers of the person, and no others', async () => {
  const rig = startServices();
  rig.services.watch();
  await play(rig);
  const { guardian, console: person } = rig.services;
  const { items: metrics } = guardian.metrics(DAY);
  const telemetry = guardian.telemetry(PERSON, DAY);
  const { allowed = 0, denied = 0 } = telemetry.confirmations.byOutcome;
  const tasks = await parsedPage(person.tasks.all({}, { limit: 100 }));
  expect(Object.fromEntries(metrics.map(({ type, value, sampleSize }) => [type, [value, sampleSize]]))).toMatchObject({
    action_success_rate: [null, 4],
    task_success_rate: [null, 3],
    confirmation_approval_rate: [null, 6],
    confirmation_expiry_rate: [0.1071, 28],
    confirmation_response_p50: [993, 6],
    hasty_approval_share: [null, 3],
    denied_action_share: [0.1538, 26],
    control_violations: [0, 0],
  });
  expect(partsOf(rig, 'confirmation_approval_rate')).toEqual([
    ['ann', 3, 6],
    ['QuitApp', 3, 5],
    ['plans of several steps', 0, 1],
    ['Desk', 3, 5],
    ['plans of several steps', 0, 1],
  ]);
  // The one task that began was not stopped.
  expect(partsOf(rig, 'human_intervention_rate')).toEqual([['ann', 0, 1]]);
  expect(partsOf(rig, 'denied_action_share')).toEqual([
    ['ann', 4, 26],
    ['QuitApp', 4, 26],
    ['Desk', 4, 26],
  ]);
  expect(telemetry).toMatchObject({
    actions: { byStatus: { success: 4, denied: 4, expired: 2, cancelled: 16, failed: 0, blocked: 0 } },
    tasks: { byStatus: { success: 1, failed: 3, cancelled: 2 } },
    confirmations: { total: 28, byOutcome: { allowed: 3, denied: 3, expired: 3 } },
  });
  expect(guardian.totals().events).toMatchObject({ deniedAgain: 2, planDenied: 1, taskFailed: 2, requesterPaused: 0 });
  expect(guardian.outcomes(DAY, 1).points).toMatchObject([{ succeeded: 4, denied: 4, notDone: 18, pauses: 1 }]);
  expect(oversightWords(metrics, { allowed, denied }).sentence).toBe('You approved 3 of 6 requests; median below 1 s.');
  expect(guardian.insights(PERSON, { limit: 50 }).map(({ title }) => title)).toEqual([
    'Handrail asked you 28 times in an hour',
    'New requester: ann, 26 requests so far',
  ]);
  expect(person.status().requesters).toMatchObject([{ userId: 'ann', pausedBecause: null }]);
  expect(await told(rig)).toEqual({
    'success: Allowed by you': ['yes-1', 'yes-2', 'yes-3'],
    'denied: Denied by you': ['no-1', 'no-2'],
    'denied: Not asked': ['no-1', 'no-plan'],
    'cancelled: Withdrawn': [...names('stopped', 14), ...names('withdrawn', 2)],
    'expired: Expired without an answer': names('expired', 2),
    'success: Not asked': ['void-plan'],
  });
  expect(tasks.items.map((task) => `${task.name}: ${endOfTask(task)}`)).toEqual([
    'void-plan: success',
    'withdrawn-plan: cancelled',
    'expired-plan: expired',
    'stopped-plan: cancelled',
    'no-plan: denied',
    'no-plan: denied',
  ]);
});
