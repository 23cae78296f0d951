import type { Chance } from './chance.ts';
import type { Habits } from './habits.ts';

/** What the daemon would have journaled. */
export type Happening = {
  atMs: number;
  kind: string;
  userId?: string;
  actionId?: string;
  confirmationId?: string;
  metadata?: Record<string, string | number | boolean>;
};

/** What is otherwise than usual while it lasts. */
export type Mood = {
  failedShare?: number;
  /** Everything is allowed, after so long. */
  waveThroughMs?: number;
};

/** How long Allow must be held at high risk. */
const HOLD_MS = 1_000;

/** Work that lasts some weeks: the same kinds of actions on the same apps. */
export type Project = { kinds: [Kind, ...Kind[]]; targets: [string, ...string[]] };
type Kind = { type: string; risk: 'low' | 'medium' | 'high'; irreversible: boolean; tookMs: number };

const APPS: [string, ...string[]] = ['mail', 'calendar', 'notes', 'chat', 'sheets', 'files', 'terminal', 'music'];

export type Session = {
  userId: string;
  startMs: number;
  actions: number;
  /** Between two actions, on average. */
  pauseMs: number;
  isTask: boolean;
  mood: Mood;
};

const LOW: [Kind, ...Kind[]] = [
  { type: 'DescribeScreen', risk: 'low', irreversible: false, tookMs: 450 },
  { type: 'OpenApp', risk: 'low', irreversible: false, tookMs: 1_600 },
  { type: 'Wait', risk: 'low', irreversible: false, tookMs: 900 },
  { type: 'Click', risk: 'low', irreversible: false, tookMs: 180 },
  { type: 'TypeText', risk: 'low', irreversible: false, tookMs: 700 },
];
const MEDIUM: [Kind, ...Kind[]] = [
  { type: 'TakeScreenshot', risk: 'medium', irreversible: false, tookMs: 130 },
  { type: 'QuitApp', risk: 'medium', irreversible: false, tookMs: 1_200 },
  { type: 'WriteFile', risk: 'medium', irreversible: false, tookMs: 90 },
];
const HIGH: [Kind, ...Kind[]] = [
  { type: 'RunScript', risk: 'high', irreversible: false, tookMs: 2_500 },
  { type: 'DeleteFile', risk: 'high', irreversible: true, tookMs: 80 },
];

/** Kinds of actions that go well together, on apps most of which the person has long used. */
export function drawProject(chance: Chance, number: number): Project {
  const kinds = Array.from({ length: 4 }, () => chance.pick(LOW));
  const known = Array.from({ length: chance.whole(1, 3) }, () => chance.pick(APPS));
  const unknown = Array.from({ length: chance.whole(0, 1) }, (_, index) => `app ${number}.${index}`);
  return { kinds: [chance.pick(LOW), ...kinds], targets: ['browser', 'editor', ...known, ...unknown] };
}

/** Writes down sessions as the daemon's journal would have them. `slowness`: of the machine, that day. */
export function createSessions(chance: Chance, habits: Habits) {
  let count = 0;
  const next = (prefix: string) => {
    count += 1;
    return `${prefix}_${count}`;
  };

  function kindOf(project: Project): Kind {
    if (!chance.is(habits.elevatedShare)) return chance.pick(project.kinds);
    return chance.is(0.15) ? chance.pick(HIGH) : chance.pick(MEDIUM);
  }

  /** How the person answers: `null` when they do not. */
  function answer({ waveThroughMs }: Mood): { allows: boolean; afterMs: number } | null {
    if (waveThroughMs !== undefined) return { allows: true, afterMs: chance.around(waveThroughMs, 0.25) };
    if (chance.is(habits.awayShare)) return null;
    return { allows: !chance.is(habits.deniedShare), afterMs: chance.around(habits.responseMs, 0.6) };
  }

  function write(session: Session, day: { project: Project; slowness: number }): Happening[] {
    const happenings: Happening[] = [];
    const taskId = next('tsk');
    const isBroken = chance.is(0.02);
    const failedShare = session.mood.failedShare ?? (isBroken ? 0.3 : habits.failedShare);
    let atMs = session.startMs;
    let failed = 0;
    let waitedMs = 0;

    function act(digest: string, kind: Kind, isAgain: boolean): void {
      const actionId = next('act');
      const asked = askedOf(kind);
      happenings.push({
        atMs,
        kind: 'action.requested',
        userId: session.userId,
        actionId,
        metadata: {
          type: kind.type,
          target: chance.is(0.02) ? `app ${chance.whole(1, 400)}` : chance.pick(day.project.targets),
          risk: kind.risk,
          irreversible: kind.irreversible,
          digest,
          verdict: asked === 'ask' ? 'ask' : 'allow',
          by: asked === 'grant' ? 'grt_1' : 'profile',
        },
      });
      if (asked === 'ask' && !allowed(actionId, kind)) return;
      run(actionId, kind, { digest, isAgain });
    }

    function askedOf({ risk }: Kind): 'ask' | 'grant' | 'allow' {
      if (risk === 'low') return 'allow';
      if (risk === 'medium' && chance.is(0.45)) return 'grant';
      return 'ask';
    }

    function allowed(actionId: string, { risk }: Kind): boolean {
      const confirmationId = `cnf_${actionId}`;
      const of = { userId: session.userId, actionId, confirmationId };
      const shownMs = atMs + chance.whole(20, 200);
      happenings.push({ atMs: shownMs, kind: 'confirmation.shown', ...of, metadata: { delayMs: 1_000 } });
      const said = answer(session.mood);
      const heldMs = said?.allows === true && risk === 'high' ? HOLD_MS : 0;
      const tookMs = 1_000 + Math.min((said?.afterMs ?? 120_000) + heldMs, 120_000);
      waitedMs += tookMs;
      atMs = shownMs + Math.floor(tookMs);
      if (said === null || said.afterMs > 120_000) {
        happenings.push({ atMs, kind: 'action.expired', ...of, metadata: { status: 'expired', confirmationId } });
        return false;
      }
      const [kind, status] = said.allows ? ['action.allowed', 'queued'] : ['action.denied', 'denied'];
      happenings.push({ atMs, kind: String(kind), ...of, metadata: { status: String(status), confirmationId } });
      return said.allows;
    }

    function run(actionId: string, kind: Kind, { digest, isAgain }: { digest: string; isAgain: boolean }): void {
      const of = { userId: session.userId, actionId };
      happenings.push({ atMs, kind: 'action.dispatched', ...of, metadata: { status: 'running', attempt: 1 } });
      atMs += Math.ceil(chance.around(kind.tookMs * day.slowness, 0.35));
      const isFailed = chance.is(failedShare);
      if (isFailed) happenings.push({ atMs, kind: 'action.failed', ...of, metadata: { status: 'failed' } });
      else happenings.push({ atMs, kind: 'action.succeeded', ...of, metadata: { status: 'success' } });
      if (!isFailed) return;
      failed += 1;
      if (!isAgain && chance.is(0.6)) act(digest, kind, true);
    }

    if (session.isTask) happenings.push({ atMs, kind: 'task.started', userId: session.userId, metadata: { taskId } });
    for (let index = 0; index < session.actions; index += 1) {
      act(`${taskId} ${index}`, kindOf(day.project), false);
      atMs += Math.ceil(-Math.log(1 - chance.share()) * session.pauseMs);
    }
    if (session.isTask) happenings.push(endOfTask({ atMs, failed, workedMs: atMs - session.startMs - waitedMs }));
    return happenings;

    function endOfTask(end: { atMs: number; failed: number; workedMs: number }): Happening {
      const status = chance.is(0.03)
        ? 'cancelled'
        : chance.is(Math.min(0.9, 0.02 + 0.12 * end.failed))
          ? 'failed'
          : 'success';
      const by = status === 'cancelled' ? 'person' : 'daemon';
      const metadata = { taskId, status, by, workedMs: Math.max(1, Math.floor(end.workedMs)) };
      return { atMs: end.atMs, kind: `task.${status}`, userId: session.userId, metadata };
    }
  }

  return write;
}
