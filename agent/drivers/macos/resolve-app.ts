import { nearNames } from '../../../src/contract/near-names.ts';
import type { OpenAppParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { appNotFound, refuseAppName } from '../app-name.ts';
import type { Attempt, Outcome } from '../driver.ts';
import { resolvedTo } from '../resolved-app.ts';
import { refuseUnjudgedApp, risksOf } from '../resolved-risk.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { type Applications, identityOf, shownName } from './applications.ts';

/** Looks a name up among the installed apps, as OpenApp does before it asks LaunchServices. */
export async function resolveApp(
  applications: Applications,
  { appName }: OpenAppParameters,
  attempt: Attempt,
): Promise<Outcome<ResolvedApp>> {
  const refusal = refuseAppName(appName);
  if (refusal !== null) return refusal;
  const signal = withinDeadline(attempt);
  const app = await applications.find(appName, { running: [], signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  if (app === null) {
    const installed = await applications.list({ maxAgeMs: Number.POSITIVE_INFINITY, signal });
    return appNotFound(appName, nearNames(appName, installed.map(shownName)));
  }
  const { bundleId } = app;
  const found = { appName: shownName(app), ...(bundleId === null ? {} : { bundleId }) };
  const identity = identityOf(app);
  return refuseUnjudgedApp(identity, attempt) ?? resolvedTo(found, risksOf(identity));
}
