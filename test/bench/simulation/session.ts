import { breakerReason, isPersonsAnswer } from '../../../src/domain/persons-answer.ts';
import type { Chance } from './chance.ts';
import type { Habits, LivedGrant } from './habits.ts';
import { drawElevated, type Kind, type Project } from './kinds.ts';

/** An event as the daemon writes it into its journal. */
export type Happening = {
  atMs: number;
  kind: string;
  userId?: string;
  actionId?: string;
  confirmationId?: string;
  metadata?: Record<string, string | number | boolean>;
};

/** Departures from the habits of the person or the device. */
export type Mood = {
  failedShare?: number;
  deniedShare?: number;
  awayShare?: number;
  /** The person allows nearly everything, after about so long. */
  waveThroughMs?: number;
  /** How many of the medium-risk requests a grant lets through. */
  grantedShare?: number;
};

export type Session = {
  userId: string;
  startMs: number;
  actions: number;
  /** Between two actions, on average. */
  pauseMs: number;
  isTask: boolean;
  mood: Mood;
  /** The kinds of its actions; by default the work of the day. */
  kinds?: readonly [Kind, ...Kind[]];
  /** The program that sends the requests; by default the one that the requester uses that day. */
  program?: string;
};

/** `slowness`: of the machine, that day. `grants`: the live ones. `programOf`: the program that a requester uses that day. */
export type WorkOfDay = {
  number: number;
  project: Project;
  slowness: number;
  grants: readonly LivedGrant[];
  programOf(userId: string): string;
};

/** How long Allow must be held at high risk. */
const HOLD_MS = 1_000;
/** How long a prompt can be answered before it is, and from then on. */
const DELAY_MS = 1_000;
const EXPIRES_MS = 120_000;
/** The median length of a prompt. */
const USUAL_CHARACTERS = 210;
const GRANTED_SHARE = 0.5;
const STAMPERS_DENIALS = 0.02;
const RESUMED_AFTER_MINUTES = { from: 1, to: 12 };

/** Writes down the sessions of one day as the daemon's journal would have them. */
export function createSessions(chance: Chance, habits: Habits, day: WorkOfDay) {
  const answers = new Map<string, Answer[]>();
  let count = 0;
  const next = (prefix: string) => {
    count += 1;
    return `${prefix}_${day.number}_${count}`;
  };

  function kindOf({ kinds }: Session): Kind {
    if (kinds !== undefined) return chance.pick(kinds);
    return chance.is(habits.elevatedShare) ? drawElevated(chance) : chance.pick(day.project.kinds);
  }

  /** How the person answers: `null` when they do not. Half of their time goes with the length of the prompt, unless they wave it through. */
  function answer(
    { waveThroughMs, deniedShare, awayShare }: Mood,
    characters: number,
  ): { allows: boolean; afterMs: number } | null {
    if (waveThroughMs !== undefined) {
      return { allows: !chance.is(STAMPERS_DENIALS), afterMs: chance.around(waveThroughMs, 0.25) };
    }
    if (chance.is(awayShare ?? habits.awayShare)) return null;
    const readMs = habits.responseMs * (0.5 + (0.5 * characters) / USUAL_CHARACTERS);
    return { allows: !chance.is(deniedShare ?? habits.deniedShare), afterMs: chance.around(readMs, 0.5) };
  }

  function grantFor({ userId, mood }: Session, { type, risk }: Kind): string | undefined {
    const ofUser = day.grants.filter((grant) => grant.userId === userId && grant.actionType === type);
    if (risk !== 'medium' || ofUser.length === 0 || !chance.is(mood.grantedShare ?? GRANTED_SHARE)) return undefined;
    return ofUser[chance.whole(0, ofUser.length - 1)]?.id;
  }

  /** Whether the daemon pauses the requester after this answer. */
  function isPausedAfter(userId: string, given: Answer): boolean {
    const latest = [given, ...(answers.get(userId) ?? [])].slice(0, 50);
    const isPaused = breakerReason(latest.filter(isPersonsAnswer)) !== undefined;
    answers.set(userId, isPaused ? [] : latest);
    return isPaused;
  }

  return (session: Session): Happening[] => {
    const { userId, mood } = session;
    const happenings: Happening[] = [];
    const taskId = next('tsk');
    const isBroken = chance.is(0.02);
    const failedShare = mood.failedShare ?? (isBroken ? 0.3 : habits.failedShare);
    let atMs = session.startMs;
    let failed = 0;
    let waitedMs = 0;

    function act(digest: string, kind: Kind, isAgain: boolean): void {
      const actionId = next('act');
      const grantId = grantFor(session, kind);
      const isAsked = kind.risk !== 'low' && grantId === undefined;
      happenings.push({
        atMs,
        kind: 'action.requested',
        userId,
        actionId,
        metadata: {
          type: kind.type,
          target: chance.is(0.02) ? `app ${chance.whole(1, 400)}` : chance.pick(day.project.targets),
          risk: kind.risk,
          irreversible: kind.irreversible,
          digest,
          verdict: isAsked ? 'ask' : 'allow',
          by: grantId ?? 'profile',
        },
      });
      if (isAsked && !isAllowed(actionId, kind)) return;
      run({ actionId, kind, digest, isAgain });
    }

    function isAllowed(actionId: string, { risk }: Kind): boolean {
      const confirmationId = `cnf_${actionId}`;
      const of = { userId, actionId, confirmationId };
      const shownMs = atMs + chance.whole(20, 200);
      const characters = Math.round(Math.min(2_800, chance.around(USUAL_CHARACTERS, 0.6)));
      const program = session.program ?? day.programOf(userId);
      happenings.push({ atMs: shownMs, kind: 'requester.program', userId, actionId, metadata: { program } });
      happenings.push({
        atMs: shownMs,
        kind: 'confirmation.shown',
        ...of,
        metadata: { delayMs: DELAY_MS, characters },
      });
      const said = answer(mood, characters);
      const heldMs = said?.allows === true && risk === 'high' ? HOLD_MS : 0;
      const tookMs = Math.floor(DELAY_MS + Math.min((said?.afterMs ?? EXPIRES_MS) + heldMs, EXPIRES_MS));
      waitedMs += tookMs;
      atMs = shownMs + tookMs;
      const given = answerGiven(said);
      const status = given === 'allowed' ? 'queued' : given;
      happenings.push({ atMs, kind: `action.${given}`, ...of, metadata: { status, confirmationId } });
      if (isPausedAfter(userId, given)) pause();
      return given === 'allowed';
    }

    /** The person resumes the requester some minutes later. */
    function pause(): void {
      const pausedMs = 60_000 * chance.whole(RESUMED_AFTER_MINUTES.from, RESUMED_AFTER_MINUTES.to);
      happenings.push({ atMs, kind: 'requester.paused', userId });
      atMs += pausedMs;
      waitedMs += pausedMs;
      happenings.push({ atMs, kind: 'requester.resumed', userId });
    }

    function run(ran: { actionId: string; kind: Kind; digest: string; isAgain: boolean }): void {
      const of = { userId, actionId: ran.actionId };
      happenings.push({ atMs, kind: 'action.dispatched', ...of, metadata: { status: 'running', attempt: 1 } });
      atMs += Math.ceil(chance.around(ran.kind.tookMs * day.slowness, 0.35));
      const isFailed = chance.is(failedShare);
      if (isFailed) happenings.push({ atMs, kind: 'action.failed', ...of, metadata: failure(chance) });
      else happenings.push({ atMs, kind: 'action.succeeded', ...of, metadata: { status: 'success' } });
      if (!isFailed) return;
      failed += 1;
      if (!ran.isAgain && chance.is(0.6)) act(ran.digest, ran.kind, true);
    }

    if (session.isTask) happenings.push({ atMs, kind: 'task.started', userId, metadata: { taskId } });
    for (let index = 0; index < session.actions; index += 1) {
      act(`${taskId} ${index}`, kindOf(session), false);
      atMs += Math.ceil(-Math.log(1 - chance.share()) * session.pauseMs);
    }
    if (session.isTask) happenings.push(endOfTask({ atMs, failed, workedMs: atMs - session.startMs - waitedMs }));
    return happenings;

    function endOfTask(end: { atMs: number; failed: number; workedMs: number }): Happening {
      const isFailed = chance.is(Math.min(0.9, 0.02 + 0.12 * end.failed));
      const status = chance.is(0.03) ? 'cancelled' : isFailed ? 'failed' : 'success';
      const by = status === 'cancelled' ? 'person' : 'daemon';
      const metadata = { taskId, status, by, workedMs: Math.max(1, Math.floor(end.workedMs)) };
      return { atMs: end.atMs, kind: 'task.ended', userId, metadata };
    }
  };
}

type Answer = 'allowed' | 'denied' | 'expired';

function answerGiven(said: { allows: boolean; afterMs: number } | null): Answer {
  if (said === null || said.afterMs > EXPIRES_MS) return 'expired';
  return said.allows ? 'allowed' : 'denied';
}

/** Half of the failures had no effect on the device. */
function failure(chance: Chance): NonNullable<Happening['metadata']> {
  return chance.is(0.5)
    ? { status: 'failed', errorCode: 'app_not_found', sideEffect: 'none' }
    : { status: 'failed', errorCode: 'timeout', sideEffect: 'unknown' };
}
