import { useEffect } from 'react';
import type { Failure } from '../../../src/client/call.ts';
import type { GuardianDashboard } from '../../../src/contract/risk.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../use-observable.ts';

/** Guardian's answer, kept up to date while the component is shown. */
export function useGuardian(model: DashboardModel): {
  dashboard: GuardianDashboard | undefined;
  failure: Failure | undefined;
} {
  useEffect(() => model.guardian.watch(), [model]);
  const { value, failure } = useObservable(model.guardian);
  return { dashboard: value, failure };
}
