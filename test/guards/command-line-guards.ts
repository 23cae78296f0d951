import type { Guard } from './guards.ts';

/** What the command line must not be able to do, and what it must not do to the files of other programs. */
export const COMMAND_LINE_GUARDS: readonly Guard[] = [
  {
    row: 'U1',
    removed: {
      file: 'src/store/database/data-directory.ts',
      what: 'the key is for its owner alone (noteDaemon)',
      from: 'mode: 0o600',
      to: 'mode: 0o644',
    },
    failed: {
      file: 'test/store/database/port-file.test.ts',
      title: 'port and key are read back as they were noted, the latest ones, from a file of the user alone',
    },
  },
  {
    row: 'U4',
    removed: {
      file: 'src/daemon/person-verbs.ts',
      what: 'a daemon in a terminal hands out no code (login)',
      from: 'if (hasTerminal) return { declined: IN_A_TERMINAL };',
      to: 'if (hasTerminal && log === undefined) return { declined: IN_A_TERMINAL };',
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
  {
    row: 'X23',
    removed: {
      file: 'src/http/routes/command-line.ts',
      what: 'a program that asked the person is no stranger at the door',
      from: ' || asking.isOf(program)) return false;',
      to: ') return false;',
    },
    failed: {
      file: 'test/own-daemon/command-line.test.ts',
      title: 'X23: %s gets no code and no end of the stop, and may stop everything',
    },
  },
  {
    row: 'X23',
    removed: {
      file: 'src/http/peers.ts',
      what: 'a process that became another program is the one that asked',
      from: 'asked.get(pid) === startOf(pid)',
      to: 'asked.get(pid) !== startOf(pid)',
    },
    failed: {
      file: 'test/own-daemon/command-line.test.ts',
      title: 'X23: %s gets no code and no end of the stop, and may stop everything',
    },
  },
  {
    row: 'X23',
    removed: {
      file: 'src/http/peers.ts',
      what: 'an agent that runs is not forgotten',
      from: 'const forgotten = ended ?? (oldest?.[1] === undefined ? oldest?.[0] : undefined);',
      to: 'const forgotten = ended === 0 ? ended : oldest?.[0];',
    },
    failed: {
      file: 'test/own-daemon/command-line.test.ts',
      title: 'X23: an agent that runs is not forgotten, however many programs ask after it and end',
    },
  },
];
