import { burst, successDrop } from './actions.ts';
import { journalBreak, permissionLost, refusedCredentials } from './controls.ts';
import { denialStreak } from './denial-streak.ts';
import type { Facts, Finding, Rule } from './finding.ts';
import { hastyApproval } from './hasty-approval.ts';
import { promptFlood, unansweredPrompts } from './prompts.ts';
import { rubberStamping } from './rubber-stamping.ts';

const RULES: readonly Rule[] = [
  journalBreak,
  permissionLost,
  refusedCredentials,
  rubberStamping,
  hastyApproval,
  promptFlood,
  unansweredPrompts,
  denialStreak,
  burst,
  successDrop,
];

/** What the rules find, one finding for each subject. */
export function findInsights(facts: Facts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}
