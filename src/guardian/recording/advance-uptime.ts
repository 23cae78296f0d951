import { isAbout, type RecordedEvent } from '../../domain/journal/journal-event.ts';
import type { DesktopState, UpInterval } from './uptime.ts';

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
