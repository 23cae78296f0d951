import type { StepRow } from '../../store/records/tasks.ts';
import type { Refusal } from '../refusal.ts';
import { endedWithout } from './step-changes.ts';

/**
 * Ends a step whose submission was refused: by the rules (blocked), or because its target or parameters are invalid
 * (failed).
 */
export function refusedStep(step: StepRow, { refused, detail }: Refusal, atMs: number): StepRow {
  if (refused === 'capability_missing' || refused === 'requester_paused') {
    return endedWithout(step, { status: 'blocked', atMs, failure: { code: 'permission_missing', message: detail } });
  }
  return endedWithout(step, { status: 'failed', atMs, failure: { code: 'invalid_target', message: detail } });
}
