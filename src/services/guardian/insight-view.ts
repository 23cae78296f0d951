import type { Insight } from '../../contract/guardian.ts';
import type { Episode } from '../../guardian/insights/episode.ts';
import { REQUESTER } from '../../guardian/insights/finding.ts';
import { timestamp } from '../timestamps.ts';

/** An insight under the names its reader knows. */
export function viewInsight({ finding, ...episode }: Episode, nameOf: (userId: string) => string): Insight {
  const { subject: _subject, userId, action, ...rest } = finding;
  const named = (text: string) => requesterNamed(text, userId === undefined ? '' : nameOf(userId));
  return {
    id: episode.id,
    ...rest,
    title: named(rest.title),
    detail: named(rest.detail),
    actionable: action !== undefined,
    ...(action !== undefined && {
      action: { ...action, label: named(action.label), target: action.target && named(action.target) },
    }),
    firstSeen: timestamp(episode.firstSeenMs),
    lastSeen: timestamp(episode.lastSeenMs),
    count: episode.count,
    status: episode.status,
  };
}

export function requesterNamed(text: string, name: string): string {
  return text.replaceAll(REQUESTER, () => name);
}
