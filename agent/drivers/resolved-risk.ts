import { isSameApp } from '../../src/contract/app-name.ts';
import { isHandrail, sensitivity } from '../../src/contract/sensitive-apps.ts';
import type { Attempt, Failed } from './driver.ts';

export type ResolvedApp = {
  /** What the person calls it. */
  name: string;
  /** Every other name it goes by: ids, programs, the app that it opens in. */
  alsoKnownAs: readonly string[];
};

/** What was judged, and allowed. */
export type Judged = Pick<Attempt, 'riskLevel' | 'unjudgedApps'>;

/**
 * The daemon judges the name that was asked for; only here is it known which app that name leads to. An app that is
 * sensitive under any of its names is not touched unless that risk was judged and allowed, nor is one for which the person has
 * rules that the name got around, and Handrail never is.
 */
export function refuseUnjudgedApp(app: ResolvedApp, { riskLevel, unjudgedApps = [] }: Judged): Failed | null {
  const names = [app.name, ...app.alsoKnownAs];
  if (names.some(isHandrail))
    return refusal(`“${app.name}” is Handrail itself, which can never be the target of an action.`);
  const ruled = unjudgedApps.find((each) => names.some((name) => isSameApp(each, name)));
  if (ruled !== undefined) {
    return {
      ...refusal(`The name leads to “${app.name}”, and the rules for “${ruled}” were not applied; nothing was done.`),
      fix: `Ask for “${ruled}” by that name, so that its rules are applied.`,
    };
  }
  if (riskLevel === undefined || riskLevel === 'high' || riskLevel === 'critical') return null;
  const found = names.map((name) => ({ name, kind: sensitivity(name) })).find(({ kind }) => kind !== undefined);
  if (found === undefined) return null;
  const really = found.name === app.name ? '' : ` (${found.name})`;
  return {
    ...refusal(
      `The name leads to “${app.name}”${really}, ${found.kind}; that risk was not judged, so nothing was done.`,
    ),
    fix: `Ask for “${found.name}” by that name, so that the person is asked with the right risk.`,
  };
}

function refusal(message: string): Failed {
  return { ok: false, code: 'invalid_target', message, sideEffect: 'none' };
}
