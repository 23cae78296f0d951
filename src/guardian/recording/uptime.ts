/**
 * A stretch in which the daemon was up, named by the event that began it. Ready: the agent is there, and may do its work. Locked:
 * nobody can have wanted it to, for the person's session is locked.
 */
export type UpInterval = { seq: number; fromMs: number; toMs: number } & DesktopState;

export type DesktopState = { isReady: boolean; isLocked: boolean };

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
