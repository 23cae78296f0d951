import { expect, test } from 'vitest';
import { createIds } from '../../src/services/context.ts';
import { createNames, type Viewer } from '../../src/services/guardian/viewer.ts';
import { open } from '../store/rig.ts';
import { createFakeClock } from './fake-clock.ts';

const quiet = () => undefined;

function names() {
  const clock = createFakeClock();
  const log = { info: quiet, warn: quiet, error: quiet };
  return createNames({ store: open(), clock, log, newId: createIds(clock) });
}

test.each<Viewer>([{ kind: 'nobody' }, { kind: 'user', userId: 'eve' }])(
  'steps that two users call alike have names of their own for %j',
  (viewer) => {
    const { step } = names();
    const [ann, bob] = [step(viewer, 'ann', 'deploy'), step(viewer, 'bob', 'deploy')];
    expect([ann, bob]).toEqual([
      expect.stringMatching(/^step-[\da-f]{8}$/),
      expect.stringMatching(/^step-[\da-f]{8}$/),
    ]);
    expect(ann).not.toBe(bob);
    expect(step(viewer, 'ann', 'deploy')).toBe(ann);
  },
);

test('the person and the user itself read the real names', () => {
  const { step, user } = names();
  for (const viewer of [{ kind: 'person' }, { kind: 'user', userId: 'ann' }] as const)
    expect([user(viewer, 'ann'), step(viewer, 'ann', 'deploy')]).toEqual(['ann', 'deploy']);
});
