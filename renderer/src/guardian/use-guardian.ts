import { useEffect } from 'react';
import type { GuardianDashboard } from '../../../src/contract/risk.ts';
import type { Room } from '../room.ts';
import { useObservable } from '../use-observable.ts';
import type { Failure } from '../wire/answer.ts';

/** Guardian's answer, kept up to date while the component is shown. */
export function useGuardian(room: Room): { dashboard: GuardianDashboard | undefined; failure: Failure | undefined } {
  useEffect(() => room.guardian.watch(), [room]);
  const { value, failure } = useObservable(room.guardian);
  return { dashboard: value, failure };
}
