import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import { agentAway, journalBreak, permissionLost, slowDrift, stoppedTasks, unseenEffects } from './operation.ts';
import { denialStreak, promptFlood, unansweredPrompts, wavedThrough } from './prompts.ts';
import { grantGrowth, newRequester, screenWatching, unusualRequesters } from './requesters.ts';
import { burst, failedControl, irreversible, refusedCredentials, refusedRequestsOf, retryLoop } from './requests.ts';
import { rubberStamping } from './rubber-stamping.ts';

const RULES: readonly ((facts: Facts) => Finding[])[] = [
  journalBreak,
  failedControl,
  permissionLost,
  refusedCredentials,
  rubberStamping,
  promptFlood,
  unansweredPrompts,
  denialStreak,
  refusedRequestsOf,
  retryLoop,
  burst,
  irreversible,
  screenWatching,
  slowDrift,
  grantGrowth,
  newRequester,
  unusualRequesters,
  unseenEffects,
  wavedThrough,
  agentAway,
  stoppedTasks,
];

/** Runs all rules; returns one finding for each subject. */
export function findInsights(facts: Facts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}
