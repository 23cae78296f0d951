import { expect, test } from 'vitest';
import type { Reply } from '../../src/client/call.ts';
import type { Action } from '../../src/contract/action.ts';
import type { Insight } from '../../src/contract/guardian.ts';
import type { GuardianDashboard } from '../../src/contract/risk.ts';
import { answered, whatGuardianSays } from '../../src/demo/story.ts';
import { burst } from '../../src/guardian/insights/requests.ts';
import { counted, factsOf } from '../guardian/insights/history.ts';

/** The insight as the rule makes it today. */
function insights(burstPeak: number): Insight[] {
  const hour = counted({});
  return burst(factsOf({ hour: { ...hour, rollup: { ...hour.rollup, burstPeak } } })).map(
    ({ category, severity, title, detail, metricTypes, evidence }) => ({
      id: 'ins_1',
      category,
      severity,
      title,
      detail,
      metricTypes,
      evidence,
      actionable: false,
      firstSeen: '',
      lastSeen: '',
      count: 1,
      status: 'open',
    }),
  );
}

function replyWith(found: Insight[]): Reply<GuardianDashboard> {
  const risk = { score: 30, level: 'moderate', confidence: 1 } as const;
  const value = {
    generatedAt: '',
    window: { from: '', to: '', length: 1 },
    risk,
    warnings: [],
    trends: [],
    metrics: [],
  };
  return {
    ok: true,
    value: { ...value, risk: { ...risk, contributors: [], history: [], known: [] }, insights: found },
  };
}

async function pausesUntil(replies: Reply<GuardianDashboard>[]): Promise<{ pauses: number; said: string[] }> {
  let pauses = 0;
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  await whatGuardianSays({
    assistant: { guardian: async () => replies.shift() ?? replyWith([]) },
    narrator: { scene: say, say, call: say, ask: say },
    async pause() {
      pauses += 1;
    },
    signal: new AbortController().signal,
  });
  return { pauses, said };
}

test('the last scene of the demo ends as soon as Guardian tells of the burst, whatever its words are', async () => {
  const { pauses, said } = await pausesUntil([replyWith([]), replyWith([]), replyWith(insights(150))]);
  expect(pauses).toBe(2);
  expect(said).toContain('[high] 150 actions requested in one minute');
});

test('it waits two minutes at most', async () => {
  expect((await pausesUntil([])).pauses).toBe(120);
});

test('a scripted person does not wait for the prompt of a call that was refused: the demo ends with the words of the refusal', async () => {
  const say = () => undefined;
  const never = new Promise<void>(() => undefined);
  const refused: Reply<Action> = {
    ok: false,
    failure: { code: 'device_offline', detail: 'The device agent is not online.' },
  };
  const story = {
    narrator: { scene: say, say, call: say, ask: say },
    person: { allow: () => never, deny: () => never },
    signal: new AbortController().signal,
  };
  await expect(answered(story, 'allow', async () => refused)).rejects.toThrow(
    'nobody was asked, and the demo cannot go on: device_offline: The device agent is not online.',
  );
  expect(await answered({ ...story, person: undefined }, 'allow', async () => refused)).toBe(refused);
});
