import type { Verdict } from '../../contract/action.ts';
import { isTerminal } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, SubmissionAnswer, Wait } from '../requester-services.ts';
import { limitFor } from '../requesters/requesters.ts';
import { NOTHING, type Sight } from '../targets/targets.ts';
import { viewStored } from './action-view.ts';
import { type Admitted, admit, type CheckedSubmission, type SightedSubmission } from './admission.ts';
import { invalidParameters, referencesOf } from './checked-action.ts';
import { createAction } from './create.ts';
import type { Candidate } from './dispatch-queue.ts';
import { dryRun } from './dry-run.ts';
import type { LiveActions } from './live-actions.ts';
import type { SubmissionParts } from './submission-parts.ts';

export const MAX_PENDING_OF_USER = 25;
export const MAX_PENDING_IN_ALL = 100;
export const MAX_QUEUED_OF_USER = 500;
export const MAX_QUEUED_IN_ALL = 2_000;

/** Writes that belong to the transaction which records a new action, and the work that follows once it is stored. */
export type Companion = { write(row: ActionRow): void; stored(): void };

/** Makes an action of an admitted submission, and asks, sends or queues it. Every action begins here. */
export function createBegin(context: Context, { live, execution, confirmations, rejudging }: SubmissionParts) {
  return (
    submission: SightedSubmission,
    by: { device: DeviceRow; admitted: Admitted; fingerprint?: string | undefined; companion?: Companion },
  ): ActionRow => {
    const candidate = candidateOf(submission, by.admitted);
    const dispatchNow = execution.isFree(candidate);
    const asks = by.admitted.judgement.verdict === 'ask';
    const repeatsDenial = asks && confirmations.wasJustDenied(submission.userId, by.admitted);
    const { row, confirmation } = createAction(context, confirmations, {
      submission,
      dispatchNow,
      turnWords: execution.turnWords(candidate),
      repeatsDenial,
      alongside: by.companion?.write,
      ...by,
    });
    live.keep(row, by.admitted);
    by.companion?.stored();
    if (confirmation !== undefined) confirmations.watch(confirmation);
    rejudging.note(row, submission);
    if (row.status === 'running') execution.send(row);
    if (row.status === 'queued') execution.enqueue(row, by.admitted.readySinceMs);
    return row;
  };
}

function candidateOf({ userId, body }: Submission, { checked }: Admitted): Candidate {
  const { name: actionType, effectClass } = checked.definition;
  return { actionType, effectClass, userId, deviceId: body.targetDeviceId };
}

/** Takes a submission to the point where it is refused, explained, asked about, or done. */
export function createSubmit(context: Context, parts: SubmissionParts) {
  const { live, programs } = parts;
  const begin = createBegin(context, parts);

  async function answerWith(row: ActionRow, submission: Submission): Promise<SubmissionAnswer> {
    // The caller must hold its connection until its program was looked up, so the answer waits for that too.
    const noted = programs.note(subjectOf(row), submission.program, row.status === 'awaiting_confirmation');
    const ended = await heldUntilEnd(live, row, { waitMs: waitMsOf(submission, row), gone: submission.gone });
    await noted;
    const action = viewStored(context, ended ?? live.get(row.id) ?? stored(context, row));
    return { kind: 'action', action, replayed: false };
  }

  return async (checked: CheckedSubmission, fingerprint: string | undefined): Promise<SubmissionAnswer | Refusal> => {
    if (checked.body.dryRun === true) return dryRun(checked, parts);
    const refusal = refusedUnseen(checked, parts);
    if (refusal !== undefined) return refusal;
    const isReady = await parts.agents.of(checked.body.targetDeviceId).ready(); // guard A6-4 begins
    const submission = { ...checked, sight: isReady ? await sightOf(checked, parts) : NOTHING };
    // Meanwhile the person may have stopped everything, changed the rules or revoked a grant, so it is judged only now.
    const current = judged(submission, parts); // guard A6-4 ends
    if (isRefusal(current)) return current;
    if (!isReady && !isBlockedUnseen(current.admitted)) return deviceOffline;
    const obstacle = obstacleTo(submission, current.admitted, parts);
    return obstacle ?? answerWith(begin(submission, { ...current, fingerprint }), submission);
  };
}

const subjectOf = ({ id, userId }: ActionRow) => ({ actionId: id, userId });

/** The targets of a submission as the agent sees them now. */
async function sightOf({ userId, body, checked }: CheckedSubmission, { agents }: SubmissionParts): Promise<Sight> {
  const agent = agents.of(body.targetDeviceId);
  const references = referencesOf(checked, { displays: agent.displays() });
  return references.length === 0 ? NOTHING : agent.targets.sight(references, userId);
}

/** Whether the rules block it without an agent. An action with targets cannot be judged before the agent has looked at them. */
function isBlockedUnseen({ judgement, checked }: Admitted): boolean {
  return judgement.verdict === 'block' && checked.references.length === 0;
}

/** Why a submission is refused whatever its targets are. */
function refusedUnseen({ userId, body, checked }: CheckedSubmission, parts: SubmissionParts): Refusal | undefined {
  const device = parts.deviceOf(userId, body.targetDeviceId);
  if (isRefusal(device)) return device;
  const refusal = parts.stopped() ?? parts.requesters.refusalFor(userId);
  if (refusal !== undefined) return refusal;
  if (isRefusal(checked)) return checked;
  const faults = checked.faults({ displays: parts.rules.displays(device.id) });
  return faults.length === 0 ? undefined : invalidParameters(checked.definition, faults);
}

type Judged = { device: DeviceRow; admitted: Admitted };

/** The device of the submission, and the current verdict of the rules. */
export function judged(submission: SightedSubmission, parts: SubmissionParts): Judged | Refusal {
  const device = parts.deviceOf(submission.userId, submission.body.targetDeviceId);
  if (isRefusal(device)) return device;
  const admitted =
    parts.stopped() ?? parts.requesters.refusalFor(submission.userId) ?? admit(submission, device, parts.rules);
  return isRefusal(admitted) ? admitted : { device, admitted };
}

const deviceOffline: Refusal = {
  refused: 'device_offline',
  detail:
    'The device agent is not online; nothing was done. GET /health says how it is: while it is starting, try again in a few seconds; when it is offline, the person has to start it again at the dashboard.',
  retryAfterSeconds: 5,
};

/** Why nothing more may ask this user's person, if so. */
export function tooManyPending(
  { userId }: Pick<Submission, 'userId'>,
  verdict: Verdict,
  { confirmations, isKnown }: Pick<SubmissionParts, 'confirmations' | 'isKnown'>,
): Refusal | undefined {
  if (verdict !== 'ask') return undefined;
  const { ofUser, inAll } = confirmations.pendingCounts(userId);
  const mostInAll = limitFor(isKnown(userId), MAX_PENDING_IN_ALL);
  if (ofUser < MAX_PENDING_OF_USER && inAll < mostInAll) return undefined;
  return {
    refused: 'too_many_pending',
    detail: `${ofUser} prompts of this user and ${inAll} in all wait for a person already; at most ${MAX_PENDING_OF_USER} and ${mostInAll} may. Try again when some are answered or expired, or cancel actions that you no longer need.`,
    retryAfterSeconds: 30,
  };
}

/** Why nothing more may wait, for the person or for its turn, if so. */
function obstacleTo(submission: Submission, admitted: Admitted, parts: SubmissionParts): Refusal | undefined {
  return tooManyPending(submission, admitted.judgement.verdict, parts) ?? tooManyQueued(submission, admitted, parts);
}

/** All that waits for its turn is in memory. */
function tooManyQueued(
  submission: Submission,
  admitted: Admitted,
  { live, execution, isKnown, callOffs }: Pick<SubmissionParts, 'live' | 'execution' | 'isKnown' | 'callOffs'>,
): Refusal | undefined {
  const { userId } = submission;
  if (admitted.judgement.verdict !== 'allow' || execution.isFree(candidateOf(submission, admitted))) return undefined;
  const queued = live.all().filter(({ id, status }) => status === 'queued' && !callOffs.isCalledOff(id));
  const ofUser = queued.filter((row) => row.userId === userId).length;
  const mostInAll = limitFor(isKnown(userId), MAX_QUEUED_IN_ALL);
  if (ofUser < MAX_QUEUED_OF_USER && queued.length < mostInAll) return undefined;
  return {
    refused: 'too_many_pending',
    detail: `${ofUser} actions of this user and ${queued.length} in all wait for their turn already; at most ${MAX_QUEUED_OF_USER} and ${mostInAll} may. Try again when some have ended.`,
    retryAfterSeconds: 30,
  };
}

function stored({ store }: Context, row: ActionRow): ActionRow {
  return store.actions.findById(row.id) ?? row;
}

/** An action that needs no confirmation is held until it has ended; one that asks is answered at once, unless told otherwise. */
function waitMsOf({ waitMs }: Submission, { status }: ActionRow): number {
  return waitMs ?? (status === 'awaiting_confirmation' ? 0 : Number.POSITIVE_INFINITY);
}

/** The ended action, or nothing when the wait was over or the caller gone before that. */
export function heldUntilEnd(
  live: LiveActions,
  row: ActionRow,
  { waitMs, gone }: Wait,
): Promise<ActionRow | undefined> {
  if (waitMs === 0 || isTerminal(row.status) || live.get(row.id) === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const finish = (ended?: ActionRow) => {
      clearTimeout(timer);
      gone.removeEventListener('abort', giveUp);
      forget();
      resolve(ended);
    };
    const giveUp = () => finish();
    const timer = Number.isFinite(waitMs) ? setTimeout(giveUp, waitMs) : undefined;
    const forget = live.whenEnded(row.id, finish);
    gone.addEventListener('abort', giveUp);
  });
}
