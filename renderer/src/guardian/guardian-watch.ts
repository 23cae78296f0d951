import type { ConsoleClient } from '../../../src/client/console-client.ts';
import type { GuardianDashboard } from '../../../src/contract/risk.ts';
import type { Feed } from '../feed/feed.ts';
import { createWatch, type Watch } from './watch.ts';

export type GuardianWatch = Watch<GuardianDashboard>;

/** Guardian's answer for the last day. It is kept when the person goes to another page, and loaded only while one shows it. */
export function createGuardianWatch(
  client: Pick<ConsoleClient, 'guardian'>,
  feed: Pick<Feed, 'subscribe'>,
  known?: GuardianDashboard,
): GuardianWatch {
  return createWatch({ load: client.guardian, feed, isHidden: () => document.hidden, known });
}
