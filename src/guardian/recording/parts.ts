import type { Counter } from './rollup.ts';

/** The requester, the action type and the device that an event counts for; empty where it has none. */
export type Part = { user: string; type: string; device: string };

/** The counters that are also counted by part: every counter that a metric is made of, and those that the lines of requesters have. */
export const PART_COUNTERS = [
  'requested',
  'requestedMedium',
  'requestedHigh',
  'requestedCritical',
  'requestRefused',
  'blocked',
  'repeated',
  'novel',
  'executedElevated',
  'executedHigh',
  'executedIrreversible',
  'executedByGrant',
  'executedUndecided',
  'retried',
  'captured',
  'succeeded',
  'failed',
  'denied',
  'prompted',
  'promptAllowed',
  'promptAllowedElevated',
  'promptAllowedHastily',
  'promptDenied',
  'promptExpired',
  'taskStarted',
  'taskSucceeded',
  'taskFailed',
  'taskCancelled',
  'planDenied',
  'taskIntervened',
  'journalBroken',
  'approvedUnasked',
  'outcomeUnexpected',
  'interrupted',
  'unverified',
  'confirmed',
] as const satisfies readonly Counter[];
export type PartCounter = (typeof PART_COUNTERS)[number];
