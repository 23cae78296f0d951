import type { RiskLevel } from '../../contract/action.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { highestOf, isAtLeast } from '../../domain/risk.ts';
import type { PlanConfirmation } from '../../store/records/confirmations.ts';

/** The highest risk among the steps that a plan asks for. */
export function planRisk({ steps }: Pick<PlanConfirmation, 'steps'>): RiskLevel {
  return highestOf(steps.filter(({ consent }) => consent === 'asked').map(({ riskLevel }) => riskLevel));
}

/** Whether the person must show that they are there to allow a plan: at high risk, and where a step would give an access. */
export function planNeedsPresence(plan: Pick<PlanConfirmation, 'steps'>): boolean {
  const givesAccess = plan.steps.some((step) => step.consent === 'asked' && step.actionType === requestAccess.name);
  return givesAccess || isAtLeast(planRisk(plan), 'high'); // guard N51-3
}
