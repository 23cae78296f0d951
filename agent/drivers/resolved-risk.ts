import { type RiskLevel, RiskLevel as RiskLevels } from '../../src/contract/action.ts';
import { isSameApp } from '../../src/contract/app-name.ts';
import type { AppRisk, ResolvedApp } from '../../src/contract/screen.ts';
import { isHandrail, sensitivity } from '../../src/contract/sensitive-apps.ts';
import { judgedApp } from '../targets/judged-targets.ts';
import { recheck } from '../targets/recheck.ts';
import type { Attempt, Failed } from './driver.ts';

/** An app by all of its names. */
export type AppIdentity = {
  /** The name that the person uses. */
  name: string;
  bundleId?: string | undefined;
  /** Every other name it goes by: ids, programs, the app that it opens in. */
  alsoKnownAs: readonly string[];
  /** Risks that the names do not show, such as a shell line in its desktop entry. */
  risks?: readonly AppRisk[];
};

/** Why acting on this app is more than low risk, one sentence each; empty for an ordinary app. */
export function risksOf({ name, alsoKnownAs, risks = [] }: AppIdentity): AppRisk[] {
  const found = [name, ...alsoKnownAs].map((each) => ({ each, kind: sensitivity(each) }));
  const sensitive = found.find(({ kind }) => kind !== undefined);
  if (sensitive === undefined) return [...risks];
  const { each, kind } = sensitive;
  const reason = each === name ? `“${name}” is ${kind}.` : `“${name}” leads to “${each}”, which is ${kind}.`;
  return [{ level: 'high', reason }, ...risks];
}

/** The app as the daemon judges it: with every name, and every risk that a name alone does not show. */
export function resolvedApp(identity: AppIdentity): ResolvedApp {
  const { name, bundleId, alsoKnownAs } = identity;
  return {
    appName: name,
    ...(bundleId === undefined ? {} : { bundleId }),
    alsoKnownAs: [...alsoKnownAs],
    risks: risksOf(identity),
  };
}

/** Handrail under any name is never the target of an action. */
export function refuseHandrail({ appName, alsoKnownAs }: ResolvedApp): Failed | null {
  if (![appName, ...alsoKnownAs].some(isHandrail)) return null;
  return refusal(`“${appName}” is Handrail itself, which can never be the target of an action.`);
}

/** Why the app that a name leads to now is not touched, if so: another one was judged. */
export function refuseApp(name: string, app: ResolvedApp, attempt: Attempt): Failed | null {
  const own = refuseHandrail(app);
  if (own !== null) return own;
  const judged = judgedApp(attempt, name);
  return judged === undefined ? refuseUnjudgedApp(app, attempt) : recheck(judged, { kind: 'app', name, app });
}

/** The daemon of before sends the allowed risk, and the apps whose rules it did not apply. */
function refuseUnjudgedApp(app: ResolvedApp, { riskLevel, unjudgedApps = [] }: Attempt): Failed | null {
  const names = [app.appName, ...app.alsoKnownAs];
  const ruled = unjudgedApps.find((each) => names.some((name) => isSameApp(each, name)));
  if (ruled !== undefined) {
    return {
      ...refusal(
        `The name leads to “${app.appName}”, and the rules for “${ruled}” were not applied; nothing was done.`,
      ),
      fix: `Ask for “${ruled}” by that name, so that its rules are applied.`,
    };
  }
  const unjudged = riskLevel === undefined ? [] : app.risks.filter((risk) => isAbove(risk.level, riskLevel));
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
