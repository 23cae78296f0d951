import type { CallingProgram } from '../../contract/program.ts';
import type { Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import type { FindCaller } from '../requester-services.ts';

/** An action or a task. */
type Subject = { actionId?: string; taskId?: string; userId: string };

/** The program that made a connection which another one held later. */
type Former = NonNullable<Extract<CallingProgram, { kind: 'program' }>['changedFrom']>;

export type CallingPrograms = ReturnType<typeof createCallingPrograms>;

/** Records which program submits. `changed` is called once the record of a prompt can be read. */
export function createCallingPrograms({ store, clock, log }: Context, { changed }: { changed(): void }) {
  return {
    /** Resolves when it is stored. A failure is logged: the prompt then says that the program is unknown. */
    async note(subject: Subject, find: FindCaller | undefined, isAsked: boolean): Promise<void> {
      const subjectId = subject.actionId ?? subject.taskId;
      if (find === undefined || subjectId === undefined) return;
      try {
        const program = await find(isAsked);
        if (program === undefined) return;
        const { userId, actionId, taskId } = subject;
        const atMs = clock.nowMs();
        store.write('relaxed', () => {
          store.callingPrograms.put(subjectId, { userId, nameKey: nameKeyOf(program), program, atMs });
          const metadata = { ...journaled(program), taskId };
          store.journal.append(atMs, { kind: 'requester.program', userId, actionId, metadata });
        });
        if (isAsked) changed();
      } catch (error) {
        log.warn({ err: error }, 'the calling program could not be recorded');
      }
    },
  };
}

/** The path as far as it is known, and the script that an interpreter runs: two scripts of one interpreter are two programs. */
export function nameKeyOf(program: CallingProgram): string {
  if (program.kind === 'unknown') return '';
  return JSON.stringify([program.path ?? program.name, ...(program.script === undefined ? [] : [program.script])]);
}

/** The program of a prompt, in visible characters: file names may hold any. */
export function visibleProgram(program: CallingProgram | undefined): CallingProgram {
  if (program === undefined) return { kind: 'unknown', because: 'it was not looked up' };
  const claims = program.claims === undefined ? {} : { claims: visible(program.claims) };
  if (program.kind === 'unknown') return { ...program, because: visible(program.because), ...claims };
  return {
    ...program,
    ...visibleNames(program),
    ...(program.script !== undefined && { script: visible(program.script) }),
    ...(program.changedFrom !== undefined && { changedFrom: visibleFormer(program.changedFrom) }),
    startedBy: program.startedBy.map((process) => ({ ...process, ...visibleNames(process) })),
    ...(program.through && { through: { ...program.through, ...visibleNames(program.through) } }),
    ...claims,
  };
}

function visibleFormer({ script, ...former }: Former): Former {
  return { ...former, ...visibleNames(former), script: script && visible(script) };
}

function visibleNames({ name, path }: { name: string; path?: string }) {
  return { name: visible(name), path: path && visible(path) };
}

function journaled(program: CallingProgram) {
  const claims = program.claims === undefined ? {} : { claims: program.claims };
  if (program.kind === 'unknown') return { program: 'unknown', because: program.because, ...claims };
  const { name, path, script, changedFrom, startedBy, through } = program;
  const parents = startedBy.map((process) => process.name).join(' < ');
  return {
    program: path ?? name,
    script,
    changedFrom: changedFrom && (changedFrom.path ?? changedFrom.name),
    startedBy: parents,
    through: through && (through.path ?? through.name),
    ...claims,
  };
}
