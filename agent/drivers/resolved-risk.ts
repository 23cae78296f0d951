import { type RiskLevel, RiskLevel as RiskLevels } from '../../src/contract/action.ts';
import { isSameApp } from '../../src/contract/app-name.ts';
import type { AppRisk } from '../../src/contract/screen.ts';
import { isHandrail, sensitivity } from '../../src/contract/sensitive-apps.ts';
import type { Attempt, Failed } from './driver.ts';

export type ResolvedApp = {
  /** The name that the person uses. */
  name: string;
  /** Every other name it goes by: ids, programs, the app that it opens in. */
  alsoKnownAs: readonly string[];
  /** Risks that the names do not show, such as a shell line in its desktop entry. */
  risks?: readonly AppRisk[];
};

/** The limits that were assessed and allowed. */
export type Judged = Pick<Attempt, 'riskLevel' | 'unjudgedApps'>;

/** Why acting on this app is more than low risk, one sentence each; empty for an ordinary app. */
export function risksOf({ name, alsoKnownAs, risks = [] }: ResolvedApp): AppRisk[] {
  const found = [name, ...alsoKnownAs].map((each) => ({ each, kind: sensitivity(each) }));
  const sensitive = found.find(({ kind }) => kind !== undefined);
  if (sensitive === undefined) return [...risks];
  const { each, kind } = sensitive;
  const reason = each === name ? `“${name}” is ${kind}.` : `“${name}” leads to “${each}”, which is ${kind}.`;
  return [{ level: 'high', reason }, ...risks];
}

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
  const unjudged = riskLevel === undefined ? [] : risksOf(app).filter((risk) => isAbove(risk.level, riskLevel));
  const [worst] = unjudged.toSorted((one, other) => LEVELS.indexOf(other.level) - LEVELS.indexOf(one.level));
  if (worst === undefined) return null;
  return {
    ...refusal(
      `${worst.reason} That is ${worst.level} risk, but the action was judged at ${riskLevel} risk; nothing was done.`,
    ),
    fix: 'Submit the action again: Handrail then looks the app up and asks the person at the right risk.',
  };
}

const LEVELS: readonly RiskLevel[] = RiskLevels.enum;

function isAbove(level: RiskLevel, bound: RiskLevel): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(bound);
}

function refusal(message: string): Failed {
  return { ok: false, code: 'invalid_target', message, sideEffect: 'none' };
}
