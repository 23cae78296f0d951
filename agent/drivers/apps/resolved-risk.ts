import type { AppRisk, ResolvedApp } from '../../../src/contract/screen.ts';
import { isHandrail, sensitivity } from '../../../src/contract/sensitive-apps.ts';
import { judgedApp, judgedOpener } from '../../targets/judged-targets.ts';
import { recheck } from '../../targets/recheck.ts';
import type { Attempt, Done, Failed } from '../outcome.ts';

/** An app by all of its names. */
export type AppIdentity = {
  /** The name that the person uses. */
  name: string;
  bundleId?: string | undefined;
  /** Every other name it goes by: ids, programs, the app that it opens in. */
  alsoKnownAs: readonly string[];
  /** Risks that the names do not show, such as a shell line in its desktop entry. */
  risks?: readonly AppRisk[];
  isBrowser?: boolean;
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
  const { name, bundleId, alsoKnownAs, isBrowser } = identity;
  return {
    appName: name,
    bundleId,
    alsoKnownAs: [...alsoKnownAs],
    risks: risksOf(identity),
    ...(isBrowser === true && { isBrowser }),
  };
}

/** The answer to which app a name leads to. */
export function resolvedTo(app: ResolvedApp): Done<ResolvedApp> {
  return { ok: true, details: `The name leads to ${app.appName}.`, effect: 'none', data: app };
}

/** Handrail under any name is never the target of an action. */
export function refuseHandrail({ appName, alsoKnownAs }: ResolvedApp): Failed | null {
  if (![appName, ...alsoKnownAs].some(isHandrail)) return null;
  return refusal(`“${appName}” is Handrail itself, which can never be the target of an action.`);
}

/** Why the app that a name leads to now is not touched, if so: another one was judged. Nothing was judged in tests of a driver alone. */
export function refuseApp(name: string, app: ResolvedApp, attempt: Attempt): Failed | null {
  const own = refuseHandrail(app);
  if (own !== null) return own;
  const judged = judgedApp(attempt, name);
  return judged === undefined ? null : recheck(judged, { kind: 'app', name, app });
}

/** The same for the app that opens an address. */
export function refuseOpener(
  scheme: 'http' | 'https' | 'mailto',
  app: ResolvedApp | null,
  attempt: Attempt,
): Failed | null {
  const own = app === null ? null : refuseHandrail(app);
  if (own !== null) return own;
  const judged = judgedOpener(attempt, scheme);
  return judged === undefined ? null : recheck(judged, { kind: 'opener', app }); // guard N18-2
}

function refusal(message: string): Failed {
  return { ok: false, code: 'invalid_target', message, sideEffect: 'none' };
}
