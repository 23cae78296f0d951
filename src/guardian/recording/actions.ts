import type { ActionStatus, SideEffect } from '../../contract/action.ts';
import type { Counter } from '../../contract/counters.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import { isCapture } from '../../domain/catalogue.ts';
import { isAccessId } from '../../domain/grant.ts';
import type { EventAbout, KnownEvent, RecordedEvent } from '../../domain/journal/journal-event.ts';
import { isPersonsDenial, isPersonsInterruption } from '../../domain/persons-answer.ts';
import type { DemandMemory } from './demand.ts';
import type { Part } from './parts.ts';
import { type AskedFor, countAllowed, countDenied, countShown } from './prompts.ts';
import { addValue, type Rollup } from './rollup.ts';

const REQUESTED_AT = {
  low: 'requestedLow',
  medium: 'requestedMedium',
  high: 'requestedHigh',
  critical: 'requestedCritical',
} as const satisfies Record<RiskLevel, Counter>;

/** How an action has ended by its status; `null` while it has not, or where it never began. */
const ENDS: Record<ActionStatus, Counter | null> = {
  awaiting_confirmation: null,
  queued: null,
  running: null,
  blocked: null,
  success: 'succeeded',
  failed: 'failed',
  denied: 'denied',
  expired: 'expired',
  cancelled: 'cancelled',
  unknown: 'unknown',
};

/** An event of an action after its request. */
type Change = Exclude<EventAbout<'action'>, KnownEvent<'action.requested' | 'action.cancel_requested'>>;

/** How an attempt that ran has ended. */
const OUTCOMES: ReadonlySet<Change['kind']> = new Set([
  'action.succeeded',
  'action.failed',
  'action.stopped',
  'action.lost',
]);

/** The facts of an action that are kept until it has ended. */
type Live = AskedFor & {
  part: Part;
  isHigh: boolean;
  isIrreversible: boolean;
  isByGrant: boolean;
  /** The plan that let it through, as its request says. */
  planId?: string;
  startedAtMs?: number;
};

type Parts = {
  demand: Pick<DemandMemory, 'requested'>;
  /** Whether the person allowed a plan, and it is not void. */
  isPlanDecided(planId: string): boolean;
};

/** Counts the lives of actions. Remembers each until it has ended. */
export function createActionRecorder({ demand, isPlanDecided }: Parts) {
  const live = new Map<string, Live>();

  function requested(event: KnownEvent<'action.requested'>, rollup: Rollup): void {
    const { counters } = rollup;
    const { risk = 'low', verdict, by = '' } = event.metadata ?? {};
    const action = liveFrom(event);
    const { inLastMinute, isRepeat, isNovel } = demand.requested(event);
    counters.requested += 1;
    counters[requestedAs(risk, by)] += 1;
    rollup.types[action.part.type] = (rollup.types[action.part.type] ?? 0) + 1;
    rollup.burstPeak = Math.max(rollup.burstPeak, inLastMinute);
    if (isRepeat) counters.repeated += 1;
    if (isNovel) counters.novel += 1;
    countAll(counters, countersOf(verdict, action));
    if (verdict !== 'block') live.set(event.actionId ?? '', action);
  }

  function changed(event: Change, rollup: Rollup): void {
    const id = event.actionId ?? '';
    const action = live.get(id);
    countUnexpected(event, action, rollup);
    if (action === undefined) return;
    if (event.kind === 'action.dispatched') {
      if (action.planId !== undefined) action.isDecided = isPlanDecided(action.planId);
      dispatched(action, event, rollup);
    }
    decided(action, event, rollup);
    const status = event.metadata?.status;
    const end = status === undefined ? null : ENDS[status];
    if (end === null) return;
    ended(action, event, { rollup, status: end });
    live.delete(id);
  }

  return {
    note(event: EventAbout<'action'>, rollup: Rollup): void {
      switch (event.kind) {
        case 'action.requested':
          requested(event, rollup);
          return;
        case 'action.cancel_requested':
          return;
        case 'action.allowed':
        case 'action.released':
        case 'action.denied':
        case 'action.expired':
        case 'action.dispatched':
        case 'action.succeeded':
        case 'action.failed':
        case 'action.undeliverable':
        case 'action.withdrawn':
        case 'action.stopped':
        case 'action.lost':
          changed(event, rollup);
          return;
      }
      event satisfies never;
    },
    /** An event about an action that is not known to live names its requester and device by itself. */
    partOf(event: RecordedEvent): Part {
      return live.get(event.actionId ?? '')?.part ?? partIn(event);
    },
    /** A prompt that was judged anew. */
    renewed({ actionId = '', metadata }: KnownEvent<'confirmation.renewed'>): void {
      const action = live.get(actionId);
      if (action !== undefined) askAnew(action, metadata?.risk);
    },
    /** Counts a prompt that was shown, if it is for an action. */
    shown(event: KnownEvent<'confirmation.shown'>, rollup: Rollup): void {
      const action = live.get(event.actionId ?? '');
      if (action !== undefined) countShown(action, event, rollup);
    },
  };
}

/** The counter of a request by its risk. One that an access of the person let through counts as such. */
function requestedAs(risk: RiskLevel, by: string): Counter {
  return risk === 'medium' && isAccessId(by) ? 'requestedByAccess' : REQUESTED_AT[risk];
}

function partIn({ userId: user = '', deviceId: device = '', ...event }: RecordedEvent): Part {
  return { user, type: event.kind === 'action.requested' ? (event.metadata?.type ?? 'unknown') : '', device };
}

function liveFrom(event: KnownEvent<'action.requested'>): Live {
  const { metadata = {} } = event;
  const { risk, verdict, by = '' } = metadata;
  return {
    part: partIn(event),
    ...elevation(risk),
    isIrreversible: metadata.irreversible === true,
    isByGrant: by.startsWith('grt_'),
    isDecided: verdict === 'allow',
    isWaiting: verdict === 'ask',
    ...(by.startsWith('cnf_') && { planId: by }),
  };
}

function dispatched(action: Live, { atMs, metadata }: KnownEvent<'action.dispatched'>, { counters }: Rollup): void {
  action.startedAtMs = atMs;
  counters.executed += 1;
  if ((metadata?.attempt ?? 1) > 1) counters.retried += 1;
  if (isCapture(action.part.type)) counters.captured += 1;
  if (!action.isElevated) return;
  counters.executedElevated += 1;
  if (action.isByGrant) counters.executedByGrant += 1;
  if (!action.isDecided) counters.executedUndecided += 1;
}

/** The person has allowed it, or other rules have, without the person. */
function decided(action: Live, event: Change, rollup: Rollup): void {
  if (event.kind === 'action.allowed') countAllowed(action, event, rollup);
  if (event.kind !== 'action.released') return;
  Object.assign(action, elevation(event.metadata?.risk));
  action.isDecided = true;
  action.isWaiting = false;
  action.isByGrant = event.metadata?.by?.startsWith('grt_') === true;
}

/** It has to be shown again, and its risk is another one. */
function askAnew(action: Live, risk: RiskLevel | undefined): void {
  Object.assign(action, elevation(risk));
  delete action.answerableAtMs;
  delete action.onScreenMs;
}

function countersOf(verdict: string | null | undefined, { isElevated }: Live): readonly Counter[] {
  if (verdict === 'allow') return ['requestedAllowed'];
  if (verdict === 'block') return ['blocked'];
  if (verdict !== 'ask') return [];
  return isElevated ? ['requestedAsking', 'prompted'] : ['prompted'];
}

/** The risk of an action as the counters have it. */
function elevation(risk: RiskLevel | undefined): Pick<Live, 'isElevated' | 'isHigh'> {
  const isHigh = risk === 'high' || risk === 'critical';
  return { isElevated: isHigh || risk === 'medium', isHigh };
}

/** The person took the mouse, so the action counts as one that they cancelled. */
function wasInterrupted(event: Change): boolean {
  return event.kind === 'action.failed' && isPersonsInterruption(event.metadata?.errorCode);
}

function ended(action: Live, event: Change, { rollup, status }: { rollup: Rollup; status: Counter }): void {
  const { counters } = rollup;
  const end = wasInterrupted(event) ? 'cancelled' : status;
  counters[end] += 1;
  if (end !== status) counters.interrupted += 1;
  if (event.kind === 'action.denied' || event.kind === 'action.expired') notApproved(action, event, rollup);
  if (event.kind === 'action.succeeded') countSeen(event, rollup);
  if (action.startedAtMs === undefined) return;
  countEffect(action, event, rollup);
  if (end !== 'succeeded' && end !== 'failed') return;
  const tookMs = Math.max(0, event.atMs - action.startedAtMs);
  addValue(rollup.executionMs, tookMs);
  rollup.slowestMs = Math.max(rollup.slowestMs, tookMs);
}

/** Whether an effect could be seen. An action that only reads has none. */
function countSeen({ metadata }: KnownEvent<'action.succeeded'>, { counters }: Rollup): void {
  if (metadata?.effect === 'unverified') counters.unverified += 1;
  if (metadata?.effect === 'confirmed') counters.confirmed += 1;
}

/** Only at the end of an attempt is it known whether it may have had an effect. */
function countEffect(action: Live, event: Change, { counters }: Rollup): void {
  if (sideEffectOf(event) === 'none') {
    counters.executedWithoutEffect += 1;
    return;
  }
  if (action.isIrreversible) counters.executedIrreversible += 1;
  if (action.isHigh) counters.executedHigh += 1;
}

function sideEffectOf(event: Change): SideEffect | 'not said' {
  switch (event.kind) {
    case 'action.succeeded':
    case 'action.failed':
    case 'action.undeliverable':
    case 'action.lost':
    case 'action.stopped':
      return event.metadata?.sideEffect ?? 'not said';
    case 'action.allowed':
    case 'action.released':
    case 'action.denied':
    case 'action.expired':
    case 'action.dispatched':
    case 'action.withdrawn':
      return 'not said';
  }
}

function notApproved(action: Live, event: KnownEvent<'action.denied' | 'action.expired'>, rollup: Rollup): void {
  const { counters } = rollup;
  if (event.kind === 'action.expired') {
    if (event.metadata?.confirmationId !== undefined) counters.promptExpired += 1;
    return;
  }
  if (isPersonsDenial(event)) countDenied(action, event, rollup);
  else {
    // A request that repeats a recent denial is denied in the transaction that stores it, without a prompt.
    counters.prompted -= 1;
    counters.deniedAgain += 1;
  }
}

function countAll(counters: Rollup['counters'], names: readonly Counter[]): void {
  for (const name of names) counters[name] += 1;
}

/** The state machine lets neither happen, so each of these shows a control that failed. */
function countUnexpected({ kind }: Change, action: Live | undefined, { counters }: Rollup): void {
  if (kind === 'action.allowed' && action?.isWaiting !== true) counters.approvedUnasked += 1;
  if (OUTCOMES.has(kind) && action?.startedAtMs === undefined) counters.outcomeUnexpected += 1;
}
