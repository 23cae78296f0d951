import { addValue } from './log-histogram.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Counter, Rollup } from './rollup.ts';

const BY_KIND: Record<string, Counter> = {
  'action.cancel_requested': 'cancelRequested',
  'confirmation.called': 'promptCalled',
  'grant.created': 'grantCreated',
  'session.refused': 'credentialRefused',
  'session.code_reused': 'credentialRefused',
  'journal.broken': 'journalBroken',
  'agent.lost': 'agentLost',
  'agent.violation': 'agentViolated',
  'requester.paused': 'requesterPaused',
  'daemon.paused': 'emergencyStopped',
};

/**
 * Refusals that show somebody trying. A session that has merely ended, rules that changed under a prompt, and a link that was
 * followed from elsewhere (`link_followed`) are none of them.
 */
const BY_CODE: Record<string, Counter> = {
  user_key_invalid: 'credentialRefused',
  agent_token_invalid: 'credentialRefused',
  host_not_allowed: 'placeRefused',
  origin_not_allowed: 'placeRefused',
  cross_site_request: 'placeRefused',
  os_user_not_allowed: 'placeRefused',
  approval_requires_person: 'approvalRefused',
  session_key_unknown: 'credentialRefused',
  digest_mismatch: 'digestMismatched',
};

/** What the link calls an answer to what nobody asked, or what was answered before. */
const SECOND_ANSWER = 'unexpected_result';

const TASK_ENDS: Record<string, Counter> = {
  success: 'taskSucceeded',
  failed: 'taskFailed',
  cancelled: 'taskCancelled',
};

/** Counts what is not the life of one action. */
export function countOther(event: RecordedEvent, rollup: Rollup): void {
  const counter = BY_KIND[event.kind];
  if (counter !== undefined && !isOwnCode(event)) rollup.counters[counter] += 1;
  if (event.kind === 'request.refused') countRefusal(event, rollup);
  if (event.kind === 'agent.violation' && event.metadata?.violation === SECOND_ANSWER) rollup.counters.replayed += 1;
  if (event.kind.startsWith('task.')) countTask(event, rollup);
}

/** A sign-in code that was used or had expired, and was ours: the person followed the same link again. */
function isOwnCode({ kind, metadata }: RecordedEvent): boolean {
  return kind === 'session.refused' && metadata?.spent === true;
}

function countRefusal({ metadata }: RecordedEvent, { counters }: Rollup): void {
  const counter = BY_CODE[String(metadata?.as ?? metadata?.code)];
  if (counter !== undefined) counters[counter] += Number(metadata?.count ?? 1);
}

/** The end of a task names its status, who ended it, and how long it worked, waiting for a person left out. */
function countTask({ kind, metadata }: RecordedEvent, rollup: Rollup): void {
  const { counters } = rollup;
  if (kind === 'task.started') counters.taskStarted += 1;
  const end = TASK_ENDS[String(metadata?.status)];
  if (end === undefined) return;
  counters[end] += 1;
  if (end === 'taskCancelled' && metadata?.by === 'person') counters.taskIntervened += 1;
  if (typeof metadata?.workedMs === 'number') addValue(rollup.taskMs, metadata.workedMs);
}
