import type { StepRow } from '../../store/tasks.ts';
import type { Refusal } from '../refusal.ts';
import { endedWithout } from './step-changes.ts';

/** What becomes of a step that did not even become an action: the rules are in its way, or it makes no sense (any more). */
export function refusedStep(step: StepRow, { refused, detail }: Refusal, atMs: number): StepRow {
  if (refused === 'capability_missing' || refused === 'requester_paused') {
    return endedWithout(step, { status: 'blocked', atMs, failure: { code: 'permission_missing', message: detail } });
  }
  return endedWithout(step, { status: 'failed', atMs, failure: { code: 'invalid_target', message: detail } });
}
