import { addValue } from './log-histogram.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Counter, Rollup } from './rollup.ts';

const BY_KIND: Record<string, readonly Counter[]> = {
  'action.cancel_requested': ['cancelRequested'],
  'confirmation.called': ['promptCalled'],
  'grant.created': ['grantCreated'],
  'session.refused': ['credentialRefused', 'consoleKeyRefused'],
  'session.code_reused': ['credentialRefused', 'consoleKeyRefused'],
  'journal.broken': ['journalBroken'],
  'agent.lost': ['agentLost'],
  'agent.violation': ['agentViolated'],
  'requester.paused': ['requesterPaused'],
  'daemon.paused': ['emergencyStopped'],
};

/**
 * Refusals that show an attempt to get around a control. A session that has ended, rules that changed under a prompt, and a link
 * that was followed from another page (`link_followed`) are none of them.
 */
const BY_CODE: Record<string, readonly Counter[]> = {
  user_key_invalid: ['credentialRefused', 'userKeyRefused'],
  agent_token_invalid: ['credentialRefused', 'agentTokenRefused'],
  session_key_unknown: ['credentialRefused', 'consoleKeyRefused'],
  host_not_allowed: ['placeRefused', 'hostRefused'],
  origin_not_allowed: ['placeRefused', 'originRefused'],
  cross_site_request: ['placeRefused', 'crossSiteRefused'],
  os_user_not_allowed: ['placeRefused', 'osUserRefused'],
  approval_requires_person: ['approvalRefused'],
  digest_mismatch: ['digestMismatched'],
};

/** The code of a request for a capability that its device was registered without. */
const NOT_CAPABLE = 'capability_missing';

/** The link's kind for a result that answers no request, or a request that already has its result. */
const SECOND_ANSWER = 'unexpected_result';

const TASK_ENDS: Record<string, Counter> = {
  success: 'taskSucceeded',
  failed: 'taskFailed',
  cancelled: 'taskCancelled',
};

/** Counts what is not the life of one action. */
export function countOther(event: RecordedEvent, rollup: Rollup): void {
  const { kind, metadata } = event;
  if (!isOwnCode(event)) add(rollup, BY_KIND[kind], 1);
  if (kind === 'request.refused') add(rollup, BY_CODE[String(metadata?.as ?? metadata?.code)], countOf(event));
  if (isCancelOfPerson(event)) rollup.counters.cancelledByPerson += 1;
  if (kind === 'agent.violation' && metadata?.violation === SECOND_ANSWER) rollup.counters.replayed += 1;
  if (kind.startsWith('task.')) countTask(event, rollup);
}

/** A sign-in code that was used or had expired, and was ours: the person followed the same link again. */
function isOwnCode({ kind, metadata }: RecordedEvent): boolean {
  return kind === 'session.refused' && metadata?.spent === true;
}

function add({ counters }: Rollup, names: readonly Counter[] = [], times: number): void {
  for (const name of names) counters[name] += times;
}

/** Refusals of one second are one event with a count. */
function countOf({ metadata }: RecordedEvent): number {
  return Number(metadata?.count ?? 1);
}

/** How many requests an event says were refused before an action existed; 0 for any other event. */
export function refusedRequests(event: RecordedEvent): number {
  return event.kind === 'request.refused' && event.metadata?.code === NOT_CAPABLE ? countOf(event) : 0;
}

/** The person cancels a task or an action; the actions that end with a cancelled task do not count again. */
function isCancelOfPerson({ kind, metadata }: RecordedEvent): boolean {
  const isCancel = kind === 'action.cancel_requested' || kind === 'task.cancel_requested';
  return isCancel && metadata?.by === 'person' && metadata.withTask !== true;
}

/** The end of a task names its status, who ended it, and how long it worked, without the time it waited for the person. */
function countTask({ kind, metadata }: RecordedEvent, rollup: Rollup): void {
  const { counters } = rollup;
  if (kind === 'task.started') counters.taskStarted += 1;
  const end = TASK_ENDS[String(metadata?.status)];
  if (end === undefined) return;
  counters[end === 'taskFailed' && metadata?.because === 'denied' ? 'planDenied' : end] += 1;
  if (isIntervened(end, metadata)) counters.taskIntervened += 1;
  if (typeof metadata?.workedMs === 'number') addValue(rollup.taskMs, metadata.workedMs);
}

/** The person cancelled the task, or a step of it. Ends from before steps were counted name only who cancelled the task. */
function isIntervened(end: Counter, metadata: RecordedEvent['metadata']): boolean {
  return metadata?.intervened === true || (end === 'taskCancelled' && metadata?.by === 'person');
}
