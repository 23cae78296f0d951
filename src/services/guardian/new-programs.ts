import { isCapture } from '../../domain/catalogue.ts';
import type { NewProgram } from '../../guardian/requesters/requester-line.ts';
import type { Context } from '../context.ts';
import { nameOf } from './facts.ts';
import { DAY_MS, type Span } from './windows.ts';

/** A program is new for so long, unless the person says that it was expected. */
const NEW_FOR_MS = 14 * DAY_MS;
const MOST_PROGRAMS = 50;

type Called = ReturnType<Context['store']['evidence']['called']>;

/** The new programs of each requester that called in a span, the one that asked the person most often first. */
export function newProgramsIn(
  { store, clock }: Context,
  { fromMs, toMs }: Span,
  isExpected: (userId: string, atMs: number) => boolean,
): ReadonlyMap<string, NewProgram[]> {
  const changes = store.callingPrograms.changes({ afterMs: clock.nowMs() - NEW_FOR_MS, limit: MOST_PROGRAMS });
  const programs = new Map<string, NewProgram[]>();
  for (const { userId, nameKey, now, atMs } of changes) {
    if (isExpected(userId, atMs)) continue;
    const called = store.evidence.called({ userId, nameKey, fromMs, toMs });
    const others = programs.get(userId) ?? [];
    if (called.length > 0)
      programs.set(
        userId,
        [...others, { ...programOf(nameOf(now), called), isFresh: atMs >= fromMs - DAY_MS }].toSorted(
          (one, other) => other.asked - one.asked,
        ),
      );
  }
  return programs;
}

function programOf(name: string, called: Called): Omit<NewProgram, 'isFresh'> {
  const asked = called.filter(({ wasAsked }) => wasAsked);
  return {
    name,
    asked: asked.length,
    high: asked.filter(({ risk }) => risk === 'high' || risk === 'critical').length,
    captured: asked.filter(({ actionType }) => isCapture(actionType)).length,
  };
}
