import fc from 'fast-check';
import { encodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { createRecentCount } from '../../../src/services/permissions/permissions.ts';
import { type Rig, startServices } from '../rig.ts';

const SPAN_MS = 60_000;
const quiet = () => undefined;

function counterOf({ store, clock }: Rig) {
  const log = { info: quiet, warn: quiet, error: quiet };
  return createRecentCount({ store, clock, log, newId: String }, SPAN_MS).of;
}

/** Counted by looking at every action there is. */
function countedAnew({ store, clock }: Rig, userId: string): number {
  const fromId = `act_${encodeTime(clock.nowMs() - SPAN_MS, 10)}`;
  return store.actions.page({ userId, beforeId: 'act_~', limit: 500 }).filter(({ id }) => id >= fromId).length;
}

/** An action that is over at once: blocked, so that nothing has to answer it. */
async function submit(rig: Rig, userId: string): Promise<void> {
  await rig.submit(
    { actionType: 'Wait', parameters: { durationMs: 0 }, targetDeviceId: deviceOf(rig, userId) },
    { userId },
  );
}

function deviceOf({ services }: Rig, userId: string): string {
  return services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: {} }).device.id;
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant('submit' as const) },
  { weight: 6, arbitrary: fc.constant('count' as const) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: SPAN_MS / 2 }).map((advanceMs) => ({ advanceMs })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 * SPAN_MS }).map((advanceMs) => ({ advanceMs })) },
  { weight: 3, arbitrary: fc.integer({ min: -SPAN_MS, max: 0 }).map((setByMs) => ({ setByMs })) },
);

test('is what counting anew comes to, whatever comes, passes, or is done to the clock', {
  timeout: 60_000,
}, async () => {
  const rig = startServices();
  rig.services.console.profiles.put({ name: 'shut', byLevel: SHUT, rules: [] });
  rig.services.console.profiles.assign('*', 'shut');
  const count = counterOf(rig);
  let users = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      users += 1;
      const userId = `user-${users}`;
      for (const each of steps) {
        if (each === 'submit') await submit(rig, userId);
        else if (each === 'count') expect(count(userId)).toBe(countedAnew(rig, userId));
        else if ('advanceMs' in each) rig.clock.advance(each.advanceMs);
        else rig.clock.setWallClock(rig.clock.nowMs() + each.setByMs);
      }
    }),
    { numRuns: 150 },
  );
});

const SHUT = { low: 'block', medium: 'block', high: 'block', critical: 'block' } as const;
