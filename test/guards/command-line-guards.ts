import type { Guard } from './guards.ts';

/** What the command line must not be able to do, and what it must not do to the files of other programs. */
export const COMMAND_LINE_GUARDS: readonly Guard[] = [
  {
    row: 'U1',
    removed: {
      file: 'src/own-daemon/sign-in-socket.ts',
      what: 'the socket is for its owner alone (openSignInSocket)',
      from: 'chmodSync(path, 0o600);',
      to: 'chmodSync(path, 0o666);',
    },
    failed: { file: 'test/own-daemon/sign-in-socket.test.ts', title: 'the socket is for its owner alone' },
  },
  {
    row: 'U4',
    removed: {
      file: 'src/daemon/person-verbs.ts',
      what: 'a daemon in a terminal hands out no code (login)',
      from: 'if (hasTerminal) return { refused: IN_A_TERMINAL };',
      to: 'if (hasTerminal && log === undefined) return { refused: IN_A_TERMINAL };',
    },
    failed: { file: 'test/daemon/person-verbs.test.ts', title: 'with a terminal the command line gets no code' },
  },
  {
    row: 'U4',
    removed: {
      file: 'src/daemon/person-verbs.ts',
      what: 'the stop ends only with the code of the terminal (resume)',
      from: 'if (hasTerminal && !person.spendSignInCode(code)) {',
      to: "if (hasTerminal && code === '') {",
    },
    failed: { file: 'test/daemon/person-verbs.test.ts', title: 'does not end the stop' },
  },
];
