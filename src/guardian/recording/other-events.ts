import type { Counter } from '../../contract/counters.ts';
import type { TaskStatus } from '../../contract/task.ts';
import type { JournalKind, KnownEvent, RecordedEvent } from '../../domain/journal/journal-event.ts';
import { addValue, type Rollup } from './rollup.ts';

/** The counters that every event of a kind adds 1 to. The recorder counts more of the events of actions, prompts and tasks. */
const BY_KIND: Record<JournalKind, readonly Counter[]> = {
  'action.requested': [],
  'action.allowed': [],
  'action.denied': [],
  'action.expired': [],
  'action.dispatched': [],
  'action.succeeded': [],
  'action.failed': [],
  'action.undeliverable': [],
  'action.withdrawn': [],
  'action.released': [],
  'action.stopped': [],
  'action.lost': [],
  'action.cancel_requested': ['cancelRequested'],
  'artifact.kept': [],
  'artifact.removed': [],
  'artifact.expired': [],
  'confirmation.shown': [],
  'confirmation.called': ['promptCalled'],
  'confirmation.renewed': [],
  'confirmation.extended': [],
  'confirmation.denial_held': [],
  'confirmation.denial_undone': [],
  'task.submitted': [],
  'task.started': ['taskStarted'],
  'task.needs_attention': [],
  'task.ended': [],
  'task.cancel_requested': [],
  'task.step_changed': [],
  'task.step_resolved': [],
  'task.plan_asked': [],
  'task.plan_allowed': [],
  'task.plan_denied': [],
  'task.plan_expired': [],
  'task.plan_withdrawn': [],
  'task.plan_voided': [],
  'daemon.started': [],
  'daemon.stopped': [],
  'daemon.slept': [],
  'daemon.clock_leapt': [],
  'daemon.paused': ['emergencyStopped'],
  'daemon.resumed': [],
  'daemon.database_renewed': [],
  'agent.online': [],
  'agent.lost': ['agentLost'],
  'agent.readiness': [],
  'agent.start_requested': [],
  'agent.violation': ['agentViolated'],
  'agent.result_ignored': [],
  'device.registered': [],
  'device.removed': [],
  'device.online': [],
  'device.offline': [],
  'machine.added': [],
  'machine.removed': [],
  'machine.opened': [],
  'machine.online': [],
  'machine.lost': [],
  'screen.locked': [],
  'screen.unlocked': [],
  'journal.broken': ['journalBroken'],
  'session.opened': [],
  'session.closed': [],
  'session.code_seen': [],
  'session.ended': [],
  'session.refused': ['credentialRefused', 'consoleKeyRefused'],
  'session.code_reused': ['credentialRefused', 'consoleKeyRefused'],
  'grant.created': ['grantCreated'],
  'grant.revoked': [],
  'profile.changed': [],
  'profile.removed': [],
  'profile.assigned': [],
  'folder.allowed': [],
  'folder.removed': [],
  'file.undo_requested': [],
  'file.undone': [],
  'file.undo_failed': [],
  'settings.changed': [],
  'risk.cause_known': [],
  'risk.cause_counts': [],
  'insight.told': [],
  'insight.acknowledged': [],
  'requester.paused': ['requesterPaused'],
  'requester.resumed': [],
  'requester.key_created': [],
  'requester.key_removed': [],
  'procedure.kept': [],
  'procedure.removed': [],
  'requester.program': [],
  'request.refused': [],
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

const TASK_ENDS: Partial<Record<TaskStatus, Counter>> = {
  success: 'taskSucceeded',
  failed: 'taskFailed',
  cancelled: 'taskCancelled',
};

/** Counts what is not the life of one action. */
export function countOther(event: RecordedEvent, rollup: Rollup): void {
  if (event.kind === 'unknown') return;
  if (!isOwnMistake(event)) add(rollup, BY_KIND[event.kind], 1);
  if (event.kind === 'request.refused') add(rollup, BY_CODE[codeOf(event)], countOf(event));
  if (isCancelOfPerson(event)) rollup.counters.cancelledByPerson += 1;
  if (event.kind === 'agent.violation' && event.metadata?.violation === SECOND_ANSWER) rollup.counters.replayed += 1;
  if (event.kind === 'task.ended') countTaskEnd(event, rollup);
}

/** A sign-in code of ours that was used or had expired, or one wrong code: the person entered it again, or made a typing error. */
function isOwnMistake(event: KnownEvent): boolean {
  return event.kind === 'session.refused' && (event.metadata?.spent === true || event.metadata?.first === true);
}

function add({ counters }: Rollup, names: readonly Counter[] = [], times: number): void {
  for (const name of names) counters[name] += times;
}

function codeOf({ metadata }: KnownEvent<'request.refused'>): string {
  return metadata?.as ?? metadata?.code ?? 'unknown';
}

/** Refusals of one second are one event with a count. */
function countOf({ metadata }: KnownEvent<'request.refused'>): number {
  return metadata?.count ?? 1;
}

/** How many requests an event says were refused before an action existed. */
export function refusedRequests(event: KnownEvent<'request.refused'>): number {
  return event.metadata?.code === NOT_CAPABLE ? countOf(event) : 0;
}

/** The person cancels a task or an action; the actions that end with a cancelled task do not count again. */
function isCancelOfPerson(event: KnownEvent): boolean {
  if (event.kind === 'task.cancel_requested') return event.metadata?.by === 'person';
  if (event.kind !== 'action.cancel_requested') return false;
  return event.metadata?.by === 'person' && event.metadata.withTask !== true;
}

/** The person denied the task, or took the mouse while it worked. */
function isPersons(because: string | undefined): boolean {
  return because === 'denied' || because === 'interrupted';
}

/** The end of a task names its status, who ended it, and how long it worked, without the time it waited for the person. */
function countTaskEnd({ metadata = {} }: KnownEvent<'task.ended'>, rollup: Rollup): void {
  const { counters } = rollup;
  const { status, because, intervened, workedMs } = metadata;
  const end = status && TASK_ENDS[status];
  if (end === undefined) return;
  counters[end === 'taskFailed' && isPersons(because) ? 'planDenied' : end] += 1;
  if (intervened === true) counters.taskIntervened += 1;
  if (workedMs !== undefined) addValue(rollup.taskMs, workedMs);
}
