import { CATALOGUE } from '../../domain/catalogue.ts';
import { isAtLeast } from '../../domain/risk.ts';
import type { SubmissionParts } from './submission-parts.ts';

/** The facts about an action that only the agent knows, and that the daemon needs before it judges the action. */
export type ToLookUp = {
  /** The app whose real risk may be higher than its name says; none where the name alone makes the action high risk. */
  appName?: string;
  /** The paths that the action names. */
  paths: readonly string[];
};

const NOTHING: ToLookUp = { paths: [] };

export function toLookUp(actionType: string, parameters: unknown): ToLookUp {
  const assessed = CATALOGUE.get(actionType)?.assess(parameters);
  if (assessed?.ok !== true) return NOTHING;
  const { risk, apps, files = [] } = assessed.assessment;
  const [appName] = isAtLeast(risk.level, 'high') ? [] : apps;
  return { paths: files, ...(appName === undefined ? {} : { appName }) };
}

/** Asks the agent, once for all of these actions. */
export async function lookUp(
  needs: readonly ToLookUp[],
  { apps, paths }: Pick<SubmissionParts, 'apps' | 'paths'>,
): Promise<void> {
  const names = new Set(needs.flatMap(({ appName }) => appName ?? []));
  await Promise.all([...[...names].map((name) => apps.learn(name)), paths.learn(needs.flatMap((each) => each.paths))]);
}

export function needsNothing({ appName, paths }: ToLookUp): boolean {
  return appName === undefined && paths.length === 0;
}
