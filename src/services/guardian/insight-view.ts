import type { Insight } from '../../contract/guardian.ts';
import type { Episode } from '../../guardian/insights/episode.ts';
import { REQUESTER } from '../../guardian/insights/finding.ts';
import { timestamp } from '../timestamps.ts';
import type { Names, Viewer } from './viewer.ts';

/** An insight under the names its reader knows. */
export function viewInsight({ finding, ...episode }: Episode, names: Names, viewer: Viewer): Insight {
  const { subject: _subject, userId, action, ...rest } = finding;
  const user = userId === undefined ? '' : names.user(viewer, userId);
  const named = (text: string) => withName(text, user);
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

/** A text of a finding with the name of its requester. A name that looks like a placeholder stays as it is. */
export function withName(text: string, user: string): string {
  return text.replaceAll(REQUESTER, () => user);
}
