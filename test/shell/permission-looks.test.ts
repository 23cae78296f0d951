import { expect, test } from 'vitest';
import { readSwitches } from '../../src/electron/shell.ts';
import { createPermissionLooks, type ProvenGrants } from '../../src/shell/permission-walk.ts';
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
      platform: 'darwin',
      version: '1.0.0',
      bundleId: undefined,
      switchedOn: () => readSwitches(electron),
      person: { view: () => expect.unreachable(), lookAgain: () => expect.unreachable() },
      memory: { read: () => ({}), write: () => undefined },
    });
    expect(looks.steps(NOTHING).map(({ permission, state }) => [permission, state])).toEqual([
      ['screenRecording', states[0]],
      ['accessibility', states[1]],
      ['automation', 'on_demand'],
      ['filesAndFolders', 'on_demand'],
    ]);
  },
);

test('a look after the agent has tried again uses its new result, and notes what has an effect in this version', async () => {
  let tries = 0;
  let noted: ProvenGrants = {};
  const looks = createPermissionLooks({
    platform: 'darwin',
    version: '1.0.0',
    bundleId: undefined,
    switchedOn: () => ({ screenRecording: true, accessibility: true }),
    person: {
      async lookAgain() {
        tries += 1;
      },
      view: () => ({ permissions: tries === 0 ? NOTHING : { ...NOTHING, screenRecording: 'granted' } }),
    },
    memory: {
      read: () => noted,
      write(grants) {
        noted = grants;
      },
    },
  });
  expect((await looks.lookAgain()).map(({ state }) => state)).toEqual(['granted', 'stale', 'on_demand', 'on_demand']);
  expect([tries, noted]).toEqual([1, { screenRecording: '1.0.0' }]);
});

test('a system other than macOS has no permissions to walk through, and none of its switches is read', () => {
  const looks = createPermissionLooks({
    platform: 'linux',
    version: '1.0.0',
    bundleId: undefined,
    switchedOn: () => expect.unreachable(),
    person: { view: () => expect.unreachable(), lookAgain: () => expect.unreachable() },
    memory: { read: () => expect.unreachable(), write: () => expect.unreachable() },
  });
  expect(looks.steps(NOTHING)).toEqual([]);
});
