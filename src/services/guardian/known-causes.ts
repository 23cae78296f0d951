import type { KnownCause, RiskCause } from '../../contract/risk.ts';
import type { JournalEvent } from '../../domain/journal/journal-event.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';
import { MINUTE_MS, type Span } from './time-windows.ts';

const STORED = 'knownRiskCauses';
const LONGEST_MS = 90 * 86_400_000;

/** Times in epoch ms; it counts again from `untilMs` on. `failures`: how many controls had failed in its minute before it was made. */
export type Mark = { cause: RiskCause; markedAtMs: number; untilMs: number; failures: number };

export type KnownCauses = ReturnType<typeof createKnownCauses>;

/** The causes of risk that the person has marked as known, over restarts too. Every mark ends by itself. */
export function createKnownCauses({ store, clock }: Context, failuresIn: (span: Span) => number) {
  let marks = recalled(store.settings.get(STORED));

  function replace(next: readonly Mark[], event: JournalEvent<'risk.cause_known' | 'risk.cause_counts'>): void {
    store.write('durable', () => {
      store.settings.set(STORED, next);
      store.journal.append(clock.nowMs(), event);
    });
    marks = next;
  }

  function live(): readonly Mark[] {
    if (marks.length === 0) return marks;
    const nowMs = clock.nowMs();
    return marks.filter(({ untilMs }) => untilMs > nowMs);
  }

  function markAt(cause: RiskCause, toMs: number): Mark | undefined {
    return live().find((mark) => mark.cause === cause && toMs > mark.markedAtMs); // guard E2-39
  }

  return {
    list: (): KnownCause[] => live().map(view),
    /** Whether a cause is known in a window that ends at a time: one that ended before the mark keeps its score. */
    isKnown: (cause: RiskCause, toMs: number): boolean => markAt(cause, toMs) !== undefined,
    /** Counts failed controls of a window, without failures before the person marked them as known. `all`: including these. */
    unknownFailures({ fromMs, toMs }: Span, all: number): number {
      const mark = markAt('control_violations', toMs);
      if (mark === undefined || mark.markedAtMs < fromMs) return all; // guard E2-40
      return failuresIn({ fromMs: minuteOf(mark.markedAtMs).fromMs, toMs }) - mark.failures;
    },
    /** Marks a cause as known, in place of an earlier mark. */
    mark(cause: RiskCause, { untilMs }: { untilMs: number }): KnownCause | Refusal {
      const nowMs = clock.nowMs();
      if (untilMs <= nowMs || untilMs - nowMs > LONGEST_MS) return badEnd(untilMs);
      const mark = { cause, markedAtMs: nowMs, untilMs, failures: failuresIn(minuteOf(nowMs)) };
      const others = live().filter((each) => each.cause !== cause);
      replace([...others, mark], { kind: 'risk.cause_known', metadata: { cause, untilMs } });
      return view(mark);
    },
    /** Lets a cause count again at once. */
    unmark(cause: RiskCause): undefined | Refusal {
      const before = live();
      if (!before.some((mark) => mark.cause === cause)) {
        return { refused: 'not_found', detail: `The cause ${cause} is not marked as known.` };
      }
      replace(
        before.filter((mark) => mark.cause !== cause),
        { kind: 'risk.cause_counts', metadata: { cause } },
      );
      return undefined;
    },
  };
}

function minuteOf(atMs: number): Span {
  const fromMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return { fromMs, toMs: fromMs + MINUTE_MS };
}

function badEnd(untilMs: number): Refusal {
  return {
    refused: 'validation_failed',
    detail: `The end must be later than now and at most 90 days from now; ${timestamp(untilMs)} came.`,
    errors: [{ pointer: '/until', message: 'later than now, and at most 90 days from now' }],
  };
}

function view({ cause, markedAtMs, untilMs }: Mark): KnownCause {
  return { cause, markedAt: timestamp(markedAtMs), until: timestamp(untilMs) };
}

function recalled(stored: unknown): readonly Mark[] {
  return Array.isArray(stored) ? stored.filter(isMark) : [];
}

function isMark(value: unknown): value is Mark {
  return typeof value === 'object' && value !== null && 'cause' in value && 'untilMs' in value && 'failures' in value;
}
