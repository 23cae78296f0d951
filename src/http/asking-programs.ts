import type { CallingProgram, ProgramProcess } from '../contract/program.ts';
import { createLinuxProcesses } from '../peers/linux-process.ts';

/** So many are remembered, and all that still run. Where no start is told, the latest. */
const MOST_REMEMBERED = 1_000;

/** When a process started; nothing where the system does not tell it, or the process has ended. */
type StartOf = (pid: number) => number | undefined;

export type AskingPrograms = ReturnType<typeof createAskingPrograms>;

/**
 * The programs that asked the person for something as a requester, in this run. A process stays the same one when it becomes another
 * program, or its file gets another name; only the time of its start tells it from a later process with its id.
 */
export function createAskingPrograms(startOf: StartOf = createLinuxProcesses().startOf) {
  const asked = new Map<number, number | undefined>();

  const isKnown = ({ pid }: Pick<ProgramProcess, 'pid'>) => asked.has(pid) && asked.get(pid) === startOf(pid);

  function forgetOne(): void {
    const [oldest] = asked;
    const ended = [...asked.keys()].find((pid) => !isKnown({ pid }));
    const forgotten = ended ?? (oldest?.[1] === undefined ? oldest?.[0] : undefined);
    if (forgotten !== undefined) asked.delete(forgotten);
  }

  return {
    note(program: CallingProgram): void {
      if (program.kind !== 'program') return;
      asked.delete(program.pid);
      asked.set(program.pid, startOf(program.pid));
      if (asked.size > MOST_REMEMBERED) forgetOne();
    },
    /** Whether a program is one of them, or was started by one. */
    isOf: (program: CallingProgram): boolean =>
      program.kind === 'program' && [program, ...program.startedBy].some(isKnown),
  };
}
