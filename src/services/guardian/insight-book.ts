import { createHash } from 'node:crypto';
import type { Insight } from '../../contract/guardian.ts';
import { type Finding, REQUESTER } from '../../guardian/insights/finding.ts';
import { timestamp } from '../timestamps.ts';

const KEPT_MS = 7 * 86_400_000;
const MOST = 500;

type Entry = { finding: Finding; firstSeenMs: number; lastSeenMs: number; count: number; isOpen: boolean };

/** Findings as they are seen again and again: the same subject is one insight. Kept as long as the daemon runs, at most a week. */
export function createInsightBook() {
  const entries = new Map<string, Entry>();
  return {
    /** Takes in what was found at a time; what was found before and is no more is over. */
    note(findings: readonly Finding[], atMs: number): void {
      for (const entry of entries.values()) entry.isOpen = false;
      for (const finding of findings) entries.set(finding.subject, seen(entries.get(finding.subject), finding, atMs));
      for (const [subject, { lastSeenMs }] of entries) {
        if (atMs - lastSeenMs > KEPT_MS || entries.size > MOST) entries.delete(subject);
      }
    },
    /** The latest first. */
    list(nameOf: (userId: string) => string): Insight[] {
      const latest = [...entries.values()].toSorted((one, other) => other.lastSeenMs - one.lastSeenMs);
      return latest.map((entry) => view(entry, nameOf));
    },
  };
}

function seen(before: Entry | undefined, finding: Finding, atMs: number): Entry {
  if (before === undefined) return { finding, firstSeenMs: atMs, lastSeenMs: atMs, count: 1, isOpen: true };
  return { ...before, finding, lastSeenMs: atMs, count: before.count + 1, isOpen: true };
}

function view({ finding, ...times }: Entry, nameOf: (userId: string) => string): Insight {
  const { subject, userId, action, ...rest } = finding;
  const name = userId === undefined ? '' : nameOf(userId);
  const named = (text: string) => text.replaceAll(REQUESTER, name);
  return {
    id: `ins_${createHash('sha256')
      .update(named(userId === undefined ? subject : subject.replace(userId, name)))
      .digest('hex')
      .slice(0, 16)}`,
    ...rest,
    title: named(rest.title),
    detail: named(rest.detail),
    actionable: action !== undefined,
    ...(action === undefined ? {} : { action: { ...action, target: action.target && named(action.target) } }),
    firstSeen: timestamp(times.firstSeenMs),
    lastSeen: timestamp(times.lastSeenMs),
    count: times.count,
    status: times.isOpen ? 'open' : 'over',
  };
}
