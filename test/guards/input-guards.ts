import type { Guard } from './guards.ts';

/** The guards of pointer and keyboard on a real desktop: rows N33 to N35 of the attack table. */
export const INPUT_GUARDS: readonly Guard[] = [
  {
    row: 'N33',
    removed: {
      mark: 'N33-1',
      what: 'a new agent lets go of the keys that a lost one left down',
      becomes: '',
    },
    failed: {
      file: 'test/desktop/killed-hands.test.ts',
      title: 'N33: a new agent lets go of the keys and buttons that a lost one left down',
    },
  },
  {
    row: 'N34',
    removed: {
      mark: 'N34-1',
      what: 'no key is sent while another window has the keyboard',
      becomes: 'const isTheirs = only === undefined || (await holder()) !== 0;',
    },
    failed: {
      file: 'test/desktop/strayed-keys.test.ts',
      title: 'N34: a key that is pressed again and again ends when another window takes the keyboard',
    },
  },
  {
    row: 'N34',
    removed: {
      mark: 'N34-2',
      what: 'no key is posted while another app has the keyboard',
      becomes: 'const posted = only === undefined || (!isSecure() && told() !== null);',
    },
    failed: {
      file: 'test/agent/macos/strayed-keys.test.ts',
      title: 'N34: a key that is pressed again and again ends when another app takes the keyboard',
    },
  },
];
