import { agentAway } from './agent-away.ts';
import { burst } from './burst.ts';
import { denialStreak } from './denial-streak.ts';
import type { Facts } from './facts.ts';
import { failedControl } from './failed-control.ts';
import type { Finding } from './finding.ts';
import { grantGrowth } from './grant-growth.ts';
import { irreversible } from './irreversible.ts';
import { journalBreak } from './journal-break.ts';
import { newRequester } from './new-requester.ts';
import { permissionLost } from './permission-lost.ts';
import { promptFlood } from './prompt-flood.ts';
import { refusedCredentials } from './refused-credentials.ts';
import { refusedRequestsOf } from './refused-requests.ts';
import { retryLoop } from './retry-loop.ts';
import { rubberStamping } from './rubber-stamping.ts';
import { screenWatching } from './screen-watching.ts';
import { slowDrift } from './slow-drift.ts';
import { stoppedTasks } from './stopped-tasks.ts';
import { unansweredPrompts } from './unanswered-prompts.ts';
import { unseenEffects } from './unseen-effects.ts';
import { unusualRequesters } from './unusual-requester.ts';
import { wavedThrough } from './waved-through.ts';

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
