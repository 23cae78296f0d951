import type { RiskLevel } from '../../contract/action.ts';
import { highestOf } from '../../domain/risk.ts';
import type { PlanConfirmation } from '../../store/records/confirmations.ts';

/** The highest risk among the steps that a plan asks for. */
export function planRisk({ steps }: Pick<PlanConfirmation, 'steps'>): RiskLevel {
  return highestOf(steps.filter(({ consent }) => consent === 'asked').map(({ riskLevel }) => riskLevel));
}
