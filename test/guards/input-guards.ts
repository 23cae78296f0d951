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
  {
    row: 'N34',
    removed: {
      file: 'agent/drivers/linux/input/seat.ts',
      what: 'no key is sent while another window has the keyboard',
      from: 'only === undefined || (await holder()) === only;',
      to: 'only === undefined || (await holder()) !== 0;',
    },
    failed: {
      file: 'test/desktop/strayed-keys.test.ts',
      title: 'N34: a key that is pressed again and again ends when another window takes the keyboard',
    },
  },
  {
    row: 'N34',
    removed: {
      file: 'agent/drivers/macos/scripts/input-events.js',
      what: 'no key is posted while another app has the keyboard',
      from: 'isStill(holders[only], told())',
      to: 'told() !== null',
    },
    failed: {
      file: 'test/agent/macos/strayed-keys.test.ts',
      title: 'N34: a key that is pressed again and again ends when another app takes the keyboard',
    },
  },
];
