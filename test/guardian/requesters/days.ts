import type { RequesterDay, TypeCounts } from '../../../src/guardian/requesters/usual-days.ts';

const NONE = { requested: 0, novel: 0, high: 0, captured: 0, prompted: 0, succeeded: 0, failed: 0, interrupted: 0 };

/** A day of `assistant`, by action type. */
export function dayOf(types: Record<string, Partial<TypeCounts>>, hours: RequesterDay['hours'] = []): RequesterDay {
  return {
    userId: 'assistant',
    hours,
    types: Object.entries(types).map(([type, counts]) => ({ type, ...NONE, ...counts })),
  };
}
