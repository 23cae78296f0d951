import type { RecordedEvent } from './recorded-event.ts';

/** A stretch in which the daemon was up, named by the event that began it. Ready: the agent is there, and may do its work. */
export type UpInterval = { seq: number; fromMs: number; toMs: number; isReady: boolean };

/** How exactly the end of a stretch that goes on is known: most events then leave nothing to store. */
const KNOWN_TO_MS = 1_000;

export type UpTime = { upMs: number; readyMs: number };

/**
 * What an event does to the stretch before it: the stretches that are now other than they were, and the one that goes on. A daemon
 * that ended without a word was up until the last event of its run, to the second, as far as anybody knows.
 */
export function advanceUpTime(
  current: UpInterval | undefined,
  event: RecordedEvent,
): { changed: UpInterval[]; current: UpInterval | undefined } {
  if (event.kind === 'daemon.started') return goingOn([], begun(event, false));
  if (current === undefined) return { changed: [], current };
  const until = { ...current, toMs: Math.max(current.toMs, event.atMs) };
  if (event.kind === 'daemon.stopped') return { changed: [until], current: undefined };
  const isReady = readinessAfter(event) ?? current.isReady;
  if (isReady !== current.isReady) return goingOn([until], begun(event, isReady));
  return until.toMs - current.toMs < KNOWN_TO_MS ? { changed: [], current } : goingOn([], until);
}

/** How much of a span the daemon was up, and ready. */
export function upTimeIn(intervals: Iterable<UpInterval>, span: { fromMs: number; toMs: number }): UpTime {
  const sum = { upMs: 0, readyMs: 0 };
  for (const { fromMs, toMs, isReady } of intervals) {
    const overlapMs = Math.max(0, Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs));
    sum.upMs += overlapMs;
    if (isReady) sum.readyMs += overlapMs;
  }
  return sum;
}

function goingOn(ended: UpInterval[], current: UpInterval) {
  return { changed: [...ended, current], current };
}

function begun({ seq, atMs }: RecordedEvent, isReady: boolean): UpInterval {
  return { seq, fromMs: atMs, toMs: atMs, isReady };
}

function readinessAfter({ kind, metadata }: RecordedEvent): boolean | undefined {
  if (kind === 'agent.readiness') return metadata?.ready === true;
  return kind === 'agent.lost' ? false : undefined;
}
