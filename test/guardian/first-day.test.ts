import { expect, test } from 'vitest';
import type { Batch } from './day-journal.ts';
import { DAY_MS, eveningOf } from './days-rig.ts';

const HANDS: Batch = {
  atHour: 9.05,
  count: 16,
  everyMs: 90_000,
  type: 'ClickElement',
  risk: 'high',
  irreversible: true,
  answer: 'allowed',
  afterMs: 7_000,
  userId: 'mcp:claude-code',
};
const LOOKS: Batch = { atHour: 9.05, count: 5, everyMs: 200_000, type: 'DescribeScreen', userId: 'mcp:claude-code' };

/** The dashboard after the first half hour of a desktop. */
function afterHalfAnHour(...batches: Batch[]) {
  const day = { upFromHour: 9, upToHour: 9.5, batches: [LOOKS, ...batches], tasks: [], others: [] };
  return eveningOf({ before: 'none', day }).services.guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS });
}

test('what the person approved one by one on a first day leaves the risk moderate, and nothing offers to pause', () => {
  const { risk, insights, warnings } = afterHalfAnHour(HANDS);
  expect(risk.level, JSON.stringify(risk.contributors)).toBe('moderate');
  const steps = [...risk.contributors, ...insights].map(({ action }) => action?.kind);
  expect(steps).toContain('inspect');
  expect(steps).not.toContain('pause_requester');
  expect(insights.map(({ severity }) => severity)).not.toContain('high');
  expect(warnings.map(({ status }) => status)).not.toContain('bad');
});

test('the same actions under a grant are a high risk on a first day, too', () => {
  const { answer: _answer, afterMs: _afterMs, ...unasked } = HANDS;
  const { risk, insights } = afterHalfAnHour({ ...unasked, by: 'grant' });
  expect(risk.level).toBe('high');
  expect(insights.map(({ action }) => action?.kind)).toContain('pause_requester');
});

/** Requests of low cost to their requester: none of them has an effect. */
const CREDITS = {
  'a look that is sent again': [
    { kind: 'action.requested', metadata: { risk: 'low', verdict: 'allow', by: 'profile' } },
    { kind: 'action.dispatched', metadata: { status: 'running', attempt: 2 } },
    { kind: 'action.succeeded', metadata: { status: 'success', sideEffect: 'none' } },
  ],
  'a click within an access that is taken back': [
    { kind: 'action.requested', metadata: { risk: 'medium', verdict: 'allow', by: 'acc_1' } },
    { kind: 'action.withdrawn', metadata: { status: 'cancelled' } },
  ],
  'a click that the person allowed and that is taken back': [
    { kind: 'action.requested', metadata: { risk: 'medium', verdict: 'ask', by: 'profile' } },
    { kind: 'action.allowed', metadata: { status: 'queued' } },
    { kind: 'action.withdrawn', metadata: { status: 'cancelled' } },
  ],
} as const;

test.each(Object.entries(CREDITS))('A30: %s, again and again, hides nothing that ran under a grant', (_what, life) => {
  const { answer: _answer, afterMs: _afterMs, ...unasked } = HANDS;
  const others = Array.from({ length: HANDS.count }, (_, index) =>
    life.map(({ kind, metadata }, place) => ({
      ...{
        atHour: 9.1 + index / 100 + place / 10_000,
        kind,
        userId: 'mcp:claude-code',
        actionId: `act_credit${index}`,
      },
      metadata: { type: 'Click', target: 'x', irreversible: false, digest: `credit${index}`, ...metadata },
    })),
  ).flat();
  const day = {
    upFromHour: 9,
    upToHour: 9.5,
    batches: [{ ...unasked, by: 'grant' as const }],
    tasks: [],
    others,
  };
  const { services } = eveningOf({ before: 'none', day });
  const { risk } = services.guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS });
  expect(risk.level).toBe('high');
  expect(risk.contributors.find(({ cause }) => cause === 'requesters')?.action?.kind).toBe('pause_requester');
});
