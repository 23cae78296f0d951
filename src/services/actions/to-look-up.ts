import type { Display } from '../../contract/device.ts';
import type { Assessment, PathQuestion } from '../../domain/catalogue/definition.ts';
import { isAtLeast } from '../../domain/risk.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { CheckedAction } from './checked-action.ts';
import type { SubmissionParts } from './submission-parts.ts';

/** The facts about an action that only the agent knows, and that the daemon needs before it judges the action. */
export type ToLookUp = {
  /** The app whose real risk may be higher than its name says; none where the name alone makes the action high risk. */
  appName?: string;
  /** The paths that the action names, and those of them that the agent is to look into. */
  paths: readonly PathQuestion[];
};

type Checked = CheckedAction | Refusal | 'open';

export function toLookUp(checked: Checked, displays: readonly Display[]): ToLookUp {
  const { risk, apps = [], files = [] } = byNameOf(checked, displays) ?? {};
  const [appName] = risk !== undefined && isAtLeast(risk.level, 'high') ? [] : apps;
  return { paths: files, ...(appName === undefined ? {} : { appName }) };
}

/** The app and the window that an action names. A dry run tells the caller about them. */
export function targetsOf(checked: Checked, displays: readonly Display[]): { appName?: string; windowId?: string } {
  const { apps = [], windowId } = byNameOf(checked, displays) ?? {};
  const [appName] = apps;
  return { ...(appName !== undefined && { appName }), ...(windowId !== undefined && { windowId }) };
}

/** The assessment by the parameters alone; none of parameters that are refused, or come from a result that is not there yet. */
function byNameOf(checked: Checked, displays: readonly Display[]): Assessment | undefined {
  const assessed = checked === 'open' || isRefusal(checked) ? undefined : checked.assess({ displays });
  return assessed?.ok === true ? assessed.assessment : undefined;
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
