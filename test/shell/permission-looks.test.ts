import { expect, test } from 'vitest';
import { createPermissionLooks } from '../../src/electron/permission-looks.ts';
import { createFakeElectron } from './electron/surface.ts';

const NOTHING = { screenRecording: 'denied', accessibility: 'denied', automation: 'not_required' } as const;

test.each([
  ['Screen & System Audio Recording', { screenRecording: true, accessibility: false }, ['stale', 'missing']],
  ['Accessibility', { screenRecording: false, accessibility: true }, ['missing', 'stale']],
])(
  'only the switch of %s is on: only that permission counts as given without an effect',
  (_name, switchedOn, states) => {
    const { surface: electron } = createFakeElectron({ switchedOn });
    const looks = createPermissionLooks({
      electron,
      environment: {},
      platform: 'darwin',
      person: { view: () => expect.unreachable(), lookAgain: () => expect.unreachable() },
      memory: { read: () => ({}), write: () => undefined },
    });
    expect(looks.steps(NOTHING).map(({ permission, state }) => [permission, state])).toEqual([
      ['screenRecording', states[0]],
      ['accessibility', states[1]],
    ]);
  },
);
