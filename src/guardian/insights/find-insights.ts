import { broadGrant } from './broad-grant.ts';
import { burst } from './burst.ts';
import { captureSurge } from './capture-surge.ts';
import { denialStreak } from './denial-streak.ts';
import type { Facts } from './facts.ts';
import type { Finding, Rule } from './finding.ts';
import { firstHighRiskAction } from './first-high-risk-action.ts';
import { hastyApproval } from './hasty-approval.ts';
import { journalBreak } from './journal-break.ts';
import { latencyRegression } from './latency-regression.ts';
import { newRequester } from './new-requester.ts';
import { permissionLost } from './permission-lost.ts';
import { promptFlood } from './prompt-flood.ts';
import { refusedCredentials } from './refused-credentials.ts';
import { retryLoop } from './retry-loop.ts';
import { rubberStamping } from './rubber-stamping.ts';
import { sameStepFailing } from './same-step-failing.ts';
import { staleGrant } from './stale-grant.ts';
import { successDrop } from './success-drop.ts';
import { unansweredPrompts } from './unanswered-prompts.ts';

const RULES: readonly Rule[] = [
  journalBreak,
  permissionLost,
  refusedCredentials,
  rubberStamping,
  hastyApproval,
  promptFlood,
  unansweredPrompts,
  denialStreak,
  firstHighRiskAction,
  retryLoop,
  burst,
  captureSurge,
  successDrop,
  sameStepFailing,
  latencyRegression,
  broadGrant,
  staleGrant,
  newRequester,
];

/** What the rules find, one finding for each subject. */
export function findInsights(facts: Facts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}
