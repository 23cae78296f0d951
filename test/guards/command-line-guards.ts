import type { Guard } from './guards.ts';

/** What the command line must not be able to do, and what it must not do to the files of other programs. */
export const COMMAND_LINE_GUARDS: readonly Guard[] = [
  {
    row: 'U1',
    removed: {
      mark: 'U1-3',
      what: 'the key is for its owner alone (noteDaemon)',
      becomes: "writeFileSync(file, `${lines.join('\\n')}\\n`, { mode: 0o644, flag: 'wx' });",
    },
    failed: {
      file: 'test/store/database/port-file.test.ts',
      title: 'port and key are read back as they were noted, the latest ones, from a file of the user alone',
    },
  },
  {
    row: 'U4',
    removed: {
      mark: 'U4-1',
      what: 'a daemon in a terminal hands out no code (login)',
      becomes: 'if (hasTerminal && log === undefined) return { declined: IN_A_TERMINAL };',
    },
    failed: { file: 'test/daemon/person-verbs.test.ts', title: 'with a terminal the command line gets no code' },
  },
  {
    row: 'U4',
    removed: {
      mark: 'U4-2',
      what: 'the stop ends only with the code of the terminal (resume)',
      becomes: "if (hasTerminal && code === '') {",
    },
    failed: { file: 'test/daemon/person-verbs.test.ts', title: 'does not end the stop' },
  },
  {
    row: 'X23',
    removed: {
      mark: 'X14-2',
      what: 'a program that asked the person is no stranger at the door',
      becomes: "if (program.kind !== 'program' || program.changedFrom !== undefined) return false;",
    },
    failed: {
      file: 'test/own-daemon/command-line.test.ts',
      title: 'X23: %s gets no code and no end of the stop, and may stop everything',
    },
  },
  {
    row: 'X23',
    removed: {
      mark: 'X23-1',
      what: 'a process that became another program is the one that asked',
      becomes:
        "const isKnown = ({ pid }: Pick<ProgramProcess, 'pid'>) => asked.has(pid) && asked.get(pid) !== startOf(pid);",
    },
    failed: {
      file: 'test/own-daemon/command-line.test.ts',
      title: 'X23: %s gets no code and no end of the stop, and may stop everything',
    },
  },
  {
    row: 'X23',
    removed: {
      mark: 'X23-2',
      what: 'an agent that runs is not forgotten',
      becomes: 'const forgotten = ended === 0 ? ended : oldest?.[0];',
    },
    failed: {
      file: 'test/own-daemon/command-line.test.ts',
      title: 'X23: an agent that runs is not forgotten, however many programs ask after it and end',
    },
  },
];
