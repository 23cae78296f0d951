import type { Verdict } from '../../contract/action.ts';
import { isTerminal } from '../../domain/action-state.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import { resolveWindow } from '../agent/window-resolution.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, SubmissionAnswer, Wait } from '../requester-services.ts';
import { limitFor } from '../work/reserve.ts';
import { viewStored } from './action-view.ts';
import { type Admitted, admit, type CheckedSubmission } from './admission.ts';
import { createAction } from './create.ts';
import type { Candidate } from './dispatch-queue.ts';
import { dryRun } from './dry-run.ts';
import type { LiveActions } from './live-actions.ts';
import type { SubmissionParts } from './submission-parts.ts';
import { lookUp, needsNothing, toLookUp } from './to-look-up.ts';

export const MAX_PENDING_OF_USER = 25;
export const MAX_PENDING_IN_ALL = 100;
export const MAX_QUEUED_OF_USER = 1_000;
export const MAX_QUEUED_IN_ALL = 4_000;

/** Writes that belong to the transaction which records a new action, and the work that follows once it is stored. */
export type Companion = { write(row: ActionRow): void; stored(): void };

/** Makes an action of an admitted submission, and asks, sends or queues it. */
export function createBegin(context: Context, { live, execution, confirmations, rejudging }: SubmissionParts) {
  return (
    submission: CheckedSubmission,
    by: { device: DeviceRow; admitted: Admitted; fingerprint?: string | undefined; companion?: Companion },
  ): ActionRow => {
    const dispatchNow = execution.isFree(candidateOf(submission, by.admitted));
    const asks = by.admitted.judgement.verdict === 'ask';
    const repeatsDenial = asks && confirmations.wasJustDenied(submission.userId, by.admitted);
    const { row, confirmation } = createAction(context, confirmations, {
      submission,
      dispatchNow,
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

function candidateOf({ userId }: Submission, { checked }: Admitted): Candidate {
  const { name: actionType, effectClass } = checked.definition;
  return { actionType, effectClass, userId };
}

/** Takes a submission to the point where it is refused, explained, asked about, or done. */
export function createSubmit(context: Context, parts: SubmissionParts) {
  const { live, programs } = parts;
  const begin = createBegin(context, parts);

  /** Meanwhile the rules may have changed, or prompts have come: all of it is looked at again with the window. */
  async function beginForWindow(
    named: CheckedSubmission,
    { admitted, fingerprint }: { admitted: Admitted; fingerprint: string | undefined },
  ): Promise<ActionRow | Refusal> {
    const { windowId = '', risk } = admitted.assessment;
    const submission = { ...named, window: await resolveWindow(parts.ask, windowId, risk.level) };
    const current = judged(submission, parts);
    if (isRefusal(current)) return current;
    return obstacleTo(submission, current.admitted, parts) ?? begin(submission, { ...current, fingerprint });
  }

  async function answerWith(row: ActionRow, submission: Submission): Promise<SubmissionAnswer> {
    // The caller must hold its connection until its program was looked up, so the answer waits for that too.
    const noted =
      row.status === 'awaiting_confirmation' ? programs.note(subjectOf(row), submission.program) : undefined;
    const ended = await heldUntilEnd(live, row, { waitMs: waitMsOf(submission, row), gone: submission.gone });
    await noted;
    const action = viewStored(context, ended ?? live.get(row.id) ?? stored(context, row));
    return { kind: 'action', action, replayed: false };
  }

  /** Creates the action, or says why not. */
  function beginNow(
    submission: CheckedSubmission,
    { device, admitted, fingerprint }: Ready,
  ): ActionRow | Refusal | Promise<ActionRow | Refusal> {
    const obstacle = obstacleTo(submission, admitted, parts);
    if (obstacle !== undefined) return obstacle;
    if (asksForWindow(admitted)) return beginForWindow(submission, { admitted, fingerprint });
    return begin(submission, { device, admitted, fingerprint });
  }

  async function submit(
    submission: CheckedSubmission,
    fingerprint: string | undefined,
  ): Promise<SubmissionAnswer | Refusal> {
    if (submission.body.dryRun === true) return dryRun(submission, parts);
    const judging = judgedWhenReady(submission, parts);
    // The usual case is not made to wait for a promise.
    const current = judging instanceof Promise ? await judging : judging;
    if (isRefusal(current)) return current;
    const begun = beginNow(submission, { ...current, fingerprint });
    const row = begun instanceof Promise ? await begun : begun;
    return isRefusal(row) ? row : answerWith(row, submission);
  }

  return { submit, answerWith };
}

const subjectOf = ({ id, userId }: ActionRow) => ({ actionId: id, userId });

type Judged = { device: DeviceRow; admitted: Admitted };

/** The verdict of the rules once the agent is online. A blocked submission is recorded without an agent. */
function judgedWhenReady(
  submission: CheckedSubmission,
  parts: SubmissionParts,
): Judged | Refusal | Promise<Judged | Refusal> {
  const first = judged(submission, parts);
  if (isRefusal(first) || (first.admitted.judgement.verdict === 'block' && !isPremature(submission, parts)))
    return first;
  // While it waited the person may have stopped it, changed the rules or revoked the grant that let it through, and the app
  // may have turned out to be more than its name says.
  const again = (agent: 'ready' | 'offline') => (agent === 'offline' ? deviceOffline : judged(submission, parts));
  return agentWait(submission, parts)?.then(again) ?? first;
}

/** Whether it was judged without the places to which its paths lead: the risk may turn out lower. */
function isPremature(
  submission: CheckedSubmission,
  { paths, rules }: Pick<SubmissionParts, 'paths' | 'rules'>,
): boolean {
  return !paths.isKnown(toLookUp(submission.checked, rules.displays()).paths);
}

/** Waits until the agent is online and has looked up the app and the paths of the action; `undefined` if nothing is to wait for. */
function agentWait(
  submission: CheckedSubmission,
  { agentReady, apps, paths, rules }: SubmissionParts,
): Promise<'ready' | 'offline'> | undefined {
  const ready = agentReady();
  const needs = toLookUp(submission.checked, rules.displays());
  if (ready === true && needsNothing(needs)) return undefined;
  return (async () => {
    if (!(await ready)) return 'offline';
    await lookUp([needs], { apps, paths });
    return 'ready';
  })();
}

type Ready = Judged & { fingerprint: string | undefined };

/** Whether the agent must name the window that the action targets. A blocked action's window is not looked up. */
export function asksForWindow({ assessment, judgement }: Admitted): boolean {
  return assessment.windowId !== undefined && judgement.verdict !== 'block';
}

/** The device of the submission, and the current verdict of the rules. */
export function judged(submission: CheckedSubmission, parts: SubmissionParts): Judged | Refusal {
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
