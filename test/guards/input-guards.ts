import type { Guard } from './guards.ts';

/** The guards of pointer and keyboard on a real desktop: rows N33 to N35 of the attack table. */
export const INPUT_GUARDS: readonly Guard[] = [
  {
    row: 'N33',
    removed: {
      file: 'agent/drivers/linux/input/seat.ts',
      what: 'a new agent lets go of the keys that a lost one left down',
      from: '  await send(releaseOf(await heldByPrograms(line)));\n',
      to: '',
    },
    failed: {
      file: 'test/desktop/killed-hands.test.ts',
      title: 'N33: a new agent lets go of the keys and buttons that a lost one left down',
    },
  },
];
