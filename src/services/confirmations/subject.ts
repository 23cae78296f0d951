import type { RiskLevel } from '../../contract/action.ts';
import type { GrantScope } from '../../contract/console.ts';
import type { ConfirmationRow } from '../../store/records/confirmations.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import { actionOf, type Subject } from './answer.ts';
import { planNeedsPresence, planRisk } from './plan-risk.ts';
import { planDigest } from './plans.ts';
import { needsPresence, scopesOf } from './view.ts';

/** Computes the subject of a pending confirmation anew. */
export function subjectOf(live: LiveActions, row: ConfirmationRow): Subject {
  if (row.kind === 'plan') return { digest: planDigest(row), needsPresence: planNeedsPresence(row) };
  const action = actionOf(live, row);
  return { digest: action.digest, needsPresence: needsPresence(live, action) };
}

export function riskOf(live: LiveActions, row: ConfirmationRow): RiskLevel {
  return row.kind === 'plan' ? planRisk(row) : actionOf(live, row).risk.level;
}

/** For how long it may be allowed. A plan is a thing of its own: nothing of it becomes a grant. */
export function scopesFor(live: LiveActions, row: ConfirmationRow): GrantScope[] {
  return row.kind === 'plan' ? ['once'] : scopesOf(live, actionOf(live, row));
}
