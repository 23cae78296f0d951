import type { ActionError, ActionStatus, EffectClass, FailureCode, SideEffect, Verdict } from '../contract/action.ts';

/** Where one action stands. Only a running one has an attempt under way. */
export type ActionState =
  | { status: 'awaiting_confirmation' }
  | { status: 'queued' }
  | { status: 'running'; attempt: number }
  | { status: TerminalStatus };

type TerminalStatus = Exclude<ActionStatus, 'awaiting_confirmation' | 'queued' | 'running'>;

export type ActionEvent =
  | { kind: 'allowed' }
  /** Other rules let it through without the person's answer. */
  | { kind: 'released' }
  | { kind: 'denied' }
  | { kind: 'expired' }
  | { kind: 'dispatched'; attempt: number }
  | { kind: 'succeeded'; attempt: number }
  /** The agent reports why the action failed, and which side effect it had by then. */
  | { kind: 'failed'; attempt: number; sideEffect: SideEffect; effectClass: EffectClass }
  /** Could not be sent at all. */
  | { kind: 'undeliverable' }
  /** Called off before it was sent. */
  | { kind: 'withdrawn' }
  /** The agent stopped it, and reports the side effect so far. `isPart`: only a part was done, such as half of a text. */
  | { kind: 'stopped'; attempt: number; sideEffect: SideEffect; effectClass: EffectClass; isPart: boolean }
  /** Sent, but its outcome will never be reported. */
  | { kind: 'lost'; attempt: number; effectClass: EffectClass };

const TERMINAL: ReadonlySet<ActionStatus> = new Set([
  'success',
  'failed',
  'denied',
  'expired',
  'cancelled',
  'blocked',
  'unknown',
]);

export function isTerminal(status: ActionStatus): status is TerminalStatus {
  return TERMINAL.has(status);
}

/** The state in which a judged submission begins. */
export function initialState(verdict: Verdict): ActionState {
  switch (verdict) {
    case 'allow':
      return { status: 'queued' };
    case 'ask':
      return { status: 'awaiting_confirmation' };
    case 'block':
      return { status: 'blocked' };
  }
}

/** The next state, or `undefined` where the event does not fit the state: a late, doubled or foreign report. */
export function nextState(state: ActionState, event: ActionEvent): ActionState | undefined {
  switch (state.status) {
    case 'awaiting_confirmation':
      return fromAwaiting(event);
    case 'queued':
      return fromQueued(event);
    case 'running':
      return 'attempt' in event && event.attempt === state.attempt ? fromRunning(event) : undefined;
    default:
      return undefined;
  }
}

function fromAwaiting(event: ActionEvent): ActionState | undefined {
  if (event.kind === 'allowed' || event.kind === 'released') return { status: 'queued' };
  if (event.kind === 'denied') return { status: 'denied' };
  if (event.kind === 'expired') return { status: 'expired' };
  return event.kind === 'withdrawn' ? { status: 'cancelled' } : undefined;
}

function fromQueued(event: ActionEvent): ActionState | undefined {
  if (event.kind === 'dispatched') return { status: 'running', attempt: event.attempt };
  if (event.kind === 'expired') return { status: 'expired' };
  if (event.kind === 'undeliverable') return { status: 'failed' };
  return event.kind === 'withdrawn' ? { status: 'cancelled' } : undefined;
}

function fromRunning(event: ActionEvent): ActionState | undefined {
  switch (event.kind) {
    case 'succeeded':
      return { status: 'success' };
    case 'failed':
      return { status: isInDoubt(event) ? 'unknown' : 'failed' };
    case 'stopped':
      return { status: afterStop(event) };
    case 'lost':
      return { status: event.effectClass === 'once' ? 'unknown' : 'failed' };
    default:
      return undefined;
  }
}

type Reported = { sideEffect: SideEffect; effectClass: EffectClass };

/** Whether work that must not be repeated may have been done. Only the person can find out. */
function isInDoubt({ sideEffect, effectClass }: Reported): boolean {
  return sideEffect === 'unknown' && effectClass === 'once';
}

/**
 * The status of an action that was told to stop: cancelled if it did nothing, success if it was done; only `once` work can
 * be unknown.
 */
function afterStop({ isPart, ...reported }: Reported & { isPart: boolean }): TerminalStatus {
  if (reported.sideEffect === 'done' && !isPart) return 'success';
  return isInDoubt(reported) ? 'unknown' : 'cancelled';
}

/** Codes after which the same submission may succeed later: the obstacle passes, or a person removes it. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set(['timeout', 'busy', 'agent_unavailable', 'display_unavailable']);

/** The advice for a failure that was reported without one. */
const USUAL_FIXES: { readonly [Code in FailureCode]?: string } = {
  timeout: 'Give it more time: submit it with a larger timeoutMs, of at most 600000.',
};

/** The `error` of a failed action. */
export function actionError(code: FailureCode, message: string, fix = USUAL_FIXES[code]): ActionError {
  return { code, message, fix, retryable: RETRYABLE.has(code) };
}
