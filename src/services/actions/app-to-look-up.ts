import { CATALOGUE } from '../../domain/catalogue.ts';
import { isAtLeast } from '../../domain/risk.ts';

/** The app whose real risk only the agent can tell; none where the name alone already makes the action high risk. */
export function appToLookUp(actionType: string, parameters: unknown): string | undefined {
  const assessed = CATALOGUE.get(actionType)?.assess(parameters);
  if (assessed?.ok !== true || isAtLeast(assessed.assessment.risk.level, 'high')) return undefined;
  return assessed.assessment.apps[0];
}
