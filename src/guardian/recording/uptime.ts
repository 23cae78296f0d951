import { isAbout, type RecordedEvent } from '../../domain/journal/journal-event.ts';

/**
 * A stretch in which the daemon was up, named by the event that began it. Ready: the agent is there, and may do its work. Locked:
 * nobody can have wanted it to, for the person's session is locked.
 */
export type UpInterval = { seq: number; fromMs: number; toMs: number } & DesktopState;

type DesktopState = { isReady: boolean; isLocked: boolean };

/** How long the daemon was up; of that, the session was not locked; and of that, the agent was ready. */
export type UpTime = { upMs: number; unlockedMs: number; readyMs: number };

/** How long the daemon was up within a span, and how much of that time it was unlocked and had a ready agent. */
export function upTimeIn(intervals: Iterable<UpInterval>, span: { fromMs: number; toMs: number }): UpTime {
  const sum = { upMs: 0, unlockedMs: 0, readyMs: 0 };
  for (const { fromMs, toMs, isReady, isLocked } of intervals) {
    const overlapMs = Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs));
    sum.upMs += overlapMs;
    if (!isLocked) sum.unlockedMs += overlapMs;
    if (!isLocked && isReady) sum.readyMs += overlapMs;
  }
  return sum;
}

/** How exactly the end of a stretch that goes on is known: most events then leave nothing to store. */
const KNOWN_TO_MS = 1_000;

/**
 * The effect of an event on the intervals in which the daemon was up: the intervals it changed, and the one that is still
 * open. A daemon that was killed counts as up until the last event of its run, which is exact to a second.
 */
export function advanceUpTime(
  current: UpInterval | undefined,
  event: RecordedEvent,
): { changed: UpInterval[]; current: UpInterval | undefined } {
  if (event.kind === 'daemon.started') return goingOn([], begun(event, { isReady: false, isLocked: false }));
  if (current === undefined) return { changed: [], current };
  const until = { ...current, toMs: Math.max(current.toMs, sleptFrom(event) ?? event.atMs) };
  if (event.kind === 'daemon.stopped') return { changed: [until], current: undefined };
  const state = desktopStateAfter(event, current);
  const isAsBefore = state.isReady === current.isReady && state.isLocked === current.isLocked;
  if (!isAsBefore || sleptFrom(event) !== undefined) return goingOn([until], begun(event, state));
  return until.toMs - current.toMs < KNOWN_TO_MS ? { changed: [], current } : goingOn([], until);
}

/** When the machine fell asleep, of an event that says that it woke. */
function sleptFrom(event: RecordedEvent): number | undefined {
  return event.kind === 'daemon.slept' ? event.metadata?.sinceMs : undefined;
}

function goingOn(ended: UpInterval[], current: UpInterval) {
  return { changed: [...ended, current], current };
}

function begun({ seq, atMs }: { seq: number; atMs: number }, { isReady, isLocked }: DesktopState): UpInterval {
  return { seq, fromMs: atMs, toMs: atMs, isReady, isLocked };
}

function desktopStateAfter(event: RecordedEvent, state: DesktopState): DesktopState {
  if (!isAbout(event, 'agent') && !isAbout(event, 'screen') && !isAbout(event, 'daemon')) return state;
  switch (event.kind) {
    case 'agent.readiness':
      return { ...state, isReady: event.metadata?.ready === true };
    case 'agent.lost':
      return { ...state, isReady: false };
    case 'screen.locked':
      return { ...state, isLocked: true };
    case 'screen.unlocked':
      return { ...state, isLocked: false };
    case 'agent.online':
    case 'agent.start_requested':
    case 'agent.violation':
    case 'agent.result_ignored':
    case 'daemon.started':
    case 'daemon.stopped':
    case 'daemon.slept':
    case 'daemon.clock_leapt':
    case 'daemon.paused':
    case 'daemon.resumed':
    case 'daemon.database_renewed':
      return state;
  }
}
