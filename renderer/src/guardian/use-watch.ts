import { useEffect, useState } from 'react';
import type { Failure, Reply } from '../../../src/client/call.ts';
import type { GuardianDashboard } from '../../../src/contract/risk.ts';
import { afterPaint } from '../after-paint.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../hooks.ts';
import { createWatch, type Watched } from './watch.ts';

/** An answer of the daemon, kept up to date while the component is shown. `load` stays the one of the first rendering. */
export function useWatch<Value>(
  model: Pick<DashboardModel, 'feed'>,
  load: () => Promise<Reply<Value>>,
): Watched<Value> {
  const [watched] = useState(() => createWatch({ load, feed: model.feed, isHidden: () => document.hidden }));
  useEffect(() => afterPaint(watched.watch), [watched]);
  return useObservable(watched);
}

/** Guardian's answer, kept up to date while the component is shown. */
export function useGuardian(model: DashboardModel): {
  dashboard: GuardianDashboard | undefined;
  failure: Failure | undefined;
} {
  useEffect(() => model.guardian.watch(), [model]);
  const { value, failure } = useObservable(model.guardian);
  return { dashboard: value, failure };
}
