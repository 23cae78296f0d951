import { isCapture } from '../../domain/catalogue.ts';
import type { NewProgram } from '../../guardian/requesters/requester-line.ts';
import type { Context } from '../context.ts';
import { nameOf } from './facts.ts';
import type { Span } from './windows.ts';

/** A program is new for so long, unless the person says that it was expected. */
const NEW_FOR_MS = 14 * 86_400_000;
const MOST_PROGRAMS = 50;

type Asked = ReturnType<Context['store']['evidence']['asked']>;

/** The new programs of each requester that asked for something in a span, the one that asked most often first. */
export function newProgramsIn(
  { store, clock }: Context,
  { fromMs, toMs }: Span,
  isExpected: (userId: string, atMs: number) => boolean,
): ReadonlyMap<string, NewProgram[]> {
  const changes = store.callingPrograms.changes({ afterMs: clock.nowMs() - NEW_FOR_MS, limit: MOST_PROGRAMS });
  const programs = new Map<string, NewProgram[]>();
  for (const { userId, nameKey, now, atMs } of changes) {
    if (isExpected(userId, atMs)) continue;
    const program = programOf(nameOf(now), store.evidence.asked({ userId, nameKey, fromMs, toMs }));
    const others = programs.get(userId) ?? [];
    if (program.asked > 0)
      programs.set(
        userId,
        [...others, program].toSorted((one, other) => other.asked - one.asked),
      );
  }
  return programs;
}

function programOf(name: string, asked: Asked): NewProgram {
  const count = (matches: (each: Asked[number]) => boolean) =>
    asked.filter(matches).reduce((sum, each) => sum + each.count, 0);
  return {
    name,
    asked: count(() => true),
    high: count(({ risk }) => risk === 'high' || risk === 'critical'),
    captured: count(({ actionType }) => isCapture(actionType)),
  };
}
