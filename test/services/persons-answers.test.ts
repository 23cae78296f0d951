import { describe, expect } from 'vitest';
import { METRICS } from '../../src/contract/metrics.ts';
import { type MetricValue, measure } from '../../src/guardian/recording/metrics.ts';
import { decide } from './answers.ts';
import { parsedPage } from './page-items.ts';
import { type Rig, startServices, test } from './rig.ts';
import { answerPrompt, settle, submittedTask } from './tasks-rig.ts';

const PERSON = { kind: 'person' } as const;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** More than three denials in a row, which would pause the requester. */
const PROMPTS = 5;

const quit = (name: string) => ({ actionType: 'QuitApp', parameters: { appName: name } });

/** Five requests that ask, each about another app. */
async function ask(rig: Rig): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < PROMPTS; count += 1) ids.push((await rig.submitted(quit(`app-${count}`))).actionId);
  return ids;
}

const askPlan = (rig: Rig) => submittedTask(rig, [{ id: 'quit', ...quit('app-plan') }]);

/** The ends of prompts that the person does not answer. Each asks first. */
const UNANSWERED: Readonly<Record<string, (rig: Rig) => Promise<unknown>>> = {
  async 'a stop'(rig) {
    await ask(rig);
    await askPlan(rig);
    rig.services.console.pause();
    await rig.services.console.resume();
  },
  async 'an expiry'(rig) {
    await ask(rig);
    await askPlan(rig);
    rig.clock.advance(15 * MINUTE_MS);
  },
  async 'a locked screen'(rig) {
    await ask(rig);
    rig.services.screen('locked');
    rig.services.screen('unlocked');
  },
  async 'a withdrawal by the requester'(rig) {
    for (const id of await ask(rig)) rig.services.actions.cancel('ann', id);
    rig.services.tasks.cancel('ann', (await askPlan(rig)).taskId);
  },
  async 'a plan that became void'(rig) {
    for (let count = 0; count < PROMPTS; count += 1) await askPlan(rig);
    rig.services.console.profiles.assign('ann', 'trusted');
  },
  async 'a pause of the requester'(rig) {
    await ask(rig);
    await askPlan(rig);
    rig.services.console.requesters.pause('ann');
    rig.services.console.requesters.resume('ann');
  },
};

function lastDay(rig: Rig) {
  const nowMs = rig.clock.nowMs();
  return rig.store.recording.recorded({ fromMs: 0, toMs: nowMs + MINUTE_MS }, nowMs);
}

/** All counters of all metrics that tell of an answer. */
const ANSWER_COUNTERS = [...new Set(Object.values(METRICS).flatMap(({ hits, of = [] }) => [...hits, ...of]))].filter(
  (counter) => /allowed|denied/iu.test(counter),
);

/** Whatever tells of the person's answers, wherever it is told. */
async function told(rig: Rig) {
  const recorded = lastDay(rig);
  const { counters } = recorded.rollup;
  const window = { lengthMs: DAY_MS };
  const telemetry = rig.services.guardian.telemetry(PERSON, window);
  const rows = await parsedPage(rig.services.console.activity.list({ statuses: ['denied'] }, { limit: 100 }));
  const runs = await parsedPage(rig.services.console.runs.list({}, { limit: 100 }));
  const { risk, insights } = rig.services.guardian.dashboard(PERSON, window);
  const sampleOf = (type: MetricValue['type']) => measure(type, recorded).sampleSize;
  return {
    counted: Object.fromEntries(
      ANSWER_COUNTERS.map((counter) => [counter, counters[counter]]).filter(([, count]) => count !== 0),
    ),
    timed: sampleOf('confirmation_response_p50'),
    rated: sampleOf('confirmation_approval_rate'),
    byOutcome: [telemetry.confirmations.byOutcome.allowed, telemetry.confirmations.byOutcome.denied],
    deniedActions: [telemetry.actions.byStatus.denied, counters.denied],
    rows: rows.items.length,
    inRuns: runs.items.flatMap(({ statuses }) => statuses.filter(({ status }) => status === 'denied')),
    words: [...risk.contributors.map(({ message }) => message), ...insights.map(({ detail }) => detail)].filter(
      (each) => /\bden(y|ied)\b/iu.test(each),
    ),
    answers: rig.store.evidence.answers({ afterMs: 0, limit: 100 }).map(({ isAllowed }) => isAllowed),
    prompts: rig.store.evidence
      .prompts({ afterId: 'cnf_', limit: 100 })
      .filter(({ status }) => status === 'allowed' || status === 'denied').length,
    streaks: rig.services.guardian
      .insights(PERSON, { limit: 50 })
      .map(({ title }) => title)
      .filter((title) => title.startsWith('You denied')),
    paused: rig.services.console.status().requesters.find(({ userId }) => userId === 'ann')?.pausedBecause ?? null,
  };
}

const NOTHING = {
  counted: {},
  timed: 0,
  rated: 0,
  byOutcome: [0, 0],
  deniedActions: [0, 0],
  rows: 0,
  inRuns: [],
  words: [],
  answers: [],
  prompts: 0,
  streaks: [],
  paused: null,
};

describe('the answers of the person', () => {
  test.each(Object.entries(UNANSWERED))('do not include %s', async (_name, end) => {
    const rig = startServices();
    rig.services.watch();
    await end(rig);
    await settle();
    rig.clock.advance(MINUTE_MS);
    expect(await told(rig)).toEqual(NOTHING);
    rig.services.console.profiles.assign('ann', 'assist');
    expect((await rig.submitted(quit('app-0'))).status).toBe('awaiting_confirmation');
  });

  test('are counted exactly between all the other ends', async ({ rig }) => {
    rig.services.watch();
    await rig.submitted(quit('denied-1'));
    await answerPrompt(rig, 'deny');
    for (const end of Object.values(UNANSWERED).slice(0, 4)) await end(rig);
    await submittedTask(rig, [{ id: 'quit', ...quit('denied-plan') }]);
    await answerPrompt(rig, 'deny');
    await rig.submitted(quit('allowed-1'));
    await answerPrompt(rig, 'allow');
    await settle();
    rig.clock.advance(MINUTE_MS);
    expect(await told(rig)).toEqual({
      ...NOTHING,
      counted: {
        promptAllowed: 1,
        promptAllowedElevated: 1,
        promptAllowedHastily: 1,
        promptDenied: 2,
        planDenied: 1,
        denied: 1,
      },
      timed: 3,
      rated: 3,
      byOutcome: [1, 2],
      deniedActions: [1, 1],
      rows: 1,
      inRuns: [{ status: 'denied', count: 1 }],
      answers: [true, false, false],
      prompts: 3,
    });
  });

  test('have a streak and pause the requester where all of them are denials', async ({ rig }) => {
    rig.services.watch();
    await ask(rig);
    for (let count = 0; count < 3; count += 1) await answerPrompt(rig, 'deny');
    rig.clock.advance(MINUTE_MS);
    expect(await told(rig)).toMatchObject({
      counted: { promptDenied: 3, denied: 3 },
      rows: 3,
      streaks: ['You denied the last 3 prompts of ann'],
      paused: '3 denials in a row',
    });
  });

  test('a denial that can still be undone stays one at a stop', async ({ rig }) => {
    const { actionId } = await rig.submitted(quit('app-1'));
    const other = await rig.submitted(quit('app-2'));
    decide(rig, 'deny', { undoable: true });
    rig.services.console.pause();
    await settle();
    const statusOf = (of: string) => rig.services.actions.get('ann', of);
    expect([statusOf(actionId), statusOf(other.actionId)]).toMatchObject([
      { status: 'denied', details: 'The person denied it; nothing was done.' },
      { status: 'cancelled', details: 'The person stopped everything; nothing was done.' },
    ]);
    expect(lastDay(rig).rollup.counters).toMatchObject({ promptDenied: 1 });
  });
});
