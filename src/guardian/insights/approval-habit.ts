import { isWorse } from './episode.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './finding.ts';
import { hastyApproval } from './hasty-approval.ts';
import { rubberStamping } from './rubber-stamping.ts';

/** How the person approves: at most one finding, the worse one. A person who approves everything at once is told so once. */
export function approvalHabit(facts: Facts): Finding[] {
  const [habit] = rubberStamping(facts);
  const [hasty] = hastyApproval(facts);
  if (habit === undefined || hasty === undefined) return [habit ?? hasty ?? []].flat();
  return [isWorse(hasty.severity, habit.severity) ? hasty : habit];
}
