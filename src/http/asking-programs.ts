import type { CallingProgram, ProgramProcess } from '../contract/program.ts';

/** The latest are remembered. */
const MOST_REMEMBERED = 1_000;

export type AskingPrograms = ReturnType<typeof createAskingPrograms>;

/** The programs that asked the person for something as a requester, in this run. */
export function createAskingPrograms() {
  const asked = new Map<number, string>();

  /** An id may have passed to another program. */
  const isKnown = (each: ProgramProcess) => asked.get(each.pid) === nameOf(each);

  return {
    note(program: CallingProgram): void {
      if (program.kind !== 'program') return;
      asked.delete(program.pid);
      asked.set(program.pid, nameOf(program));
      const [oldest] = asked.keys();
      if (asked.size > MOST_REMEMBERED && oldest !== undefined) asked.delete(oldest);
    },
    /** Whether a program is one of them, or was started by one. */
    isOf: (program: CallingProgram): boolean =>
      program.kind === 'program' && [program, ...program.startedBy].some(isKnown),
  };
}

function nameOf({ path, name }: Pick<ProgramProcess, 'path' | 'name'>): string {
  return path ?? name;
}
