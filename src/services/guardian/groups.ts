import type { ActionGroups, Grouping } from '../../contract/telemetry.ts';
import type { StoredGroup } from '../../store/guardian/action-groups.ts';
import { COUNTS_KEPT_MS } from '../../store/guardian/units.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import type { Names, Viewer } from './viewer.ts';
import { DAY_MS, HOUR_MS, type Span, windowOf } from './windows.ts';

const LONGEST_BY_HOUR_MS = 7 * DAY_MS;

/**
 * Counts actions by shared properties. A span within the last hour is exact; a longer span is widened to full hours, an old
 * one to full days. Grouped by hour, only the last week of the span counts.
 */
export function createGroups({ store, clock }: Context, nameOf: Names['user']) {
  return (viewer: Viewer, span: Span, by: readonly Grouping[]): ActionGroups => {
    const nowMs = clock.nowMs();
    const isLate = span.fromMs >= nowMs - HOUR_MS;
    const asked = by.includes('hour')
      ? { ...span, fromMs: Math.max(span.fromMs, span.toMs - LONGEST_BY_HOUR_MS) }
      : span;
    const wide = isLate ? span : widened(asked, nowMs - asked.fromMs > COUNTS_KEPT_MS.hour ? DAY_MS : HOUR_MS);
    const groups = isLate ? store.actionGroups.lately(span, by) : store.actionGroups.inHours(wide, by);
    return {
      by: [...by],
      // Nothing happens after now, so that the hour that goes on need not be shown as over.
      window: windowOf({ ...wide, toMs: span.toMs > nowMs ? span.toMs : wide.toMs }),
      items: groups.map((group) => shown(group, (userId) => nameOf(viewer, userId))),
    };
  };
}

function widened({ fromMs, toMs }: Span, unitMs: number): Span {
  return { fromMs: Math.floor(fromMs / unitMs) * unitMs, toMs: Math.ceil(toMs / unitMs) * unitMs };
}

function shown(
  { hour, user, ...rest }: StoredGroup,
  nameOf: (userId: string) => string,
): ActionGroups['items'][number] {
  return {
    hour: timestamp(hour),
    ...(user === undefined ? {} : { user: nameOf(user) }),
    ...rest,
  };
}
