import { nearNames } from '../../../src/contract/near-names.ts';
import type { OpenAppParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import { appNotFound, refuseAppName } from '../app-name.ts';
import type { Attempt, Outcome } from '../outcome.ts';
import { resolvedTo } from '../resolved-app.ts';
import { refuseHandrail, resolvedApp } from '../resolved-risk.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { type Applications, identityOf, shownName } from './applications.ts';
import { readDesktop } from './desktop-state.ts';
import type { RunProgram } from './run-script.ts';

/** Looks a name up among the installed and the running apps, as OpenApp does before it asks LaunchServices. */
export async function resolveApp(
  { run, applications }: { run: RunProgram; applications: Applications },
  { appName }: OpenAppParameters,
  attempt: Attempt,
): Promise<Outcome<ResolvedApp>> {
  const refusal = refuseAppName(appName);
  if (refusal !== null) return refusal;
  const signal = withinDeadline(attempt);
  const desktop = await readDesktop(run, { parts: ['apps'], signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  const app = await applications.find(appName, { running: desktop.ok ? desktop.data.apps : [], signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  if (app === null) {
    const installed = await applications.list({ maxAgeMs: Number.POSITIVE_INFINITY, signal });
    return appNotFound(appName, nearNames(appName, installed.map(shownName)));
  }
  const resolved = resolvedApp(identityOf(app));
  return refuseHandrail(resolved) ?? resolvedTo(resolved);
}
