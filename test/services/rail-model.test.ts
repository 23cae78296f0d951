import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newDataFolder } from '../store/data-folder.ts';
import { PROFILES } from './rail-model.ts';
import type { Operation } from './rail-operations.ts';
import { createPlay } from './rail-play.ts';

/**
 * Half of the plays are the same in every run, and half are new. A failure prints its seed; `FC_SEED=<seed> FC_RUNS=<more>`
 * repeats and widens it.
 */
const SEEDS = process.env.FC_SEED === undefined ? [20_261_120, Date.now() % 2 ** 31] : [Number(process.env.FC_SEED)];
const RUNS = Number(process.env.FC_RUNS ?? 100);

const index = fc.nat({ max: 30 });
const user = fc.nat({ max: 3 });
const scope = fc.constantFrom('once', 'minutes15', 'untilQuit', 'always');
const profile = fc.constantFrom(...PROFILES);
const prompt = fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: index, weight: 1 });

const submit = fc.record({
  does: fc.constant('submit'),
  user,
  kind: index,
  named: fc.option(profile, { nil: undefined, freq: 8 }),
});
const consent = fc.record({
  does: fc.constant('consent'),
  prompt,
  scope,
  holds: fc.constantFrom(true, true, true, false),
  agentIsGone: fc.constantFrom(false, false, false, true),
});
const decide = fc.record({
  does: fc.constant('decide'),
  prompt,
  yes: fc.boolean(),
  scope,
  with: fc.constantFrom('its own', 'its own', 'its own', 'another nonce', 'another digest'),
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: submit, weight: 10 },
  { arbitrary: consent, weight: 5 },
  { arbitrary: decide, weight: 3 },
  { arbitrary: fc.record({ does: fc.constant('show'), prompt }), weight: 2 },
  {
    arbitrary: fc.record({ does: fc.constant('hold'), prompt, phase: fc.constantFrom('press', 'release') }),
    weight: 2,
  },
  { arbitrary: fc.record({ does: fc.constant('decideAgain'), prompt: index }), weight: 1 },
  {
    arbitrary: fc.record({
      does: fc.constant('wait'),
      ms: fc.constantFrom(1, 999, 1_000, 2_000, 30_000, 89_999, 90_000, 900_000),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ does: fc.constant('sleep'), ms: fc.constantFrom(100_000, 28_800_000, 2_592_000_000) }),
    weight: 1,
  },
  { arbitrary: fc.record({ does: fc.constant('revoke'), grant: index }), weight: 2 },
  { arbitrary: fc.record({ does: fc.constant('assign'), user, profile }), weight: 2 },
  { arbitrary: fc.record({ does: fc.constantFrom('pause', 'loseAgent', 'restart', 'restart') }), weight: 2 },
  { arbitrary: fc.record({ does: fc.constant('resume') }), weight: 2 },
  {
    arbitrary: fc.record({
      does: fc.constant('agent'),
      becomes: fc.constantFrom('online', 'online', 'online', 'starting', 'offline'),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      does: fc.constant('answer'),
      attempt: index,
      how: fc.constantFrom('done', 'failed', 'cancelled'),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ does: fc.constant('cancel'), action: index }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constantFrom('resumeUser', 'resumeUser', 'pauseUser'), user }), weight: 2 },
);

test('whatever is asked, answered and disturbed, nothing runs that nobody allowed', { timeout: 600_000 }, async () => {
  const totals = { sent: 0, allowed: 0, refused: 0 };
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 5, maxLength: 60, size: 'max' }),
    async (operations) => {
      const play = createPlay(newDataFolder('handrail-rail-'));
      try {
        for (const each of operations) await play.play(each);
        await play.finish();
      } finally {
        play.end();
      }
      const { sent, allowed, refused } = play.counts();
      totals.sent += sent;
      totals.allowed += allowed;
      totals.refused += refused;
    },
  );
  for (const seed of SEEDS) await fc.assert(property, { seed, numRuns: RUNS });
  // A run in which little happened would prove little.
  expect(Object.values(totals).filter((total) => total < RUNS / 4)).toEqual([]);
});
