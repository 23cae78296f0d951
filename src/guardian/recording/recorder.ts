import { createDemand, type SeenBefore } from './demand.ts';
import { addValue } from './log-histogram.ts';
import { countOther, refusedRequests } from './other-events.ts';
import { createPlanRecorder } from './plans.ts';
import { type AskedFor, countAllowed, countDenied, countShown } from './prompts.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Counter, Rollup } from './rollup.ts';

const CAPTURES = new Set(['TakeScreenshot', 'DescribeScreen']);
const REQUESTED_AT = {
  low: 'requestedLow',
  medium: 'requestedMedium',
  high: 'requestedHigh',
  critical: 'requestedCritical',
} as const;
const ENDS: Record<string, Counter> = {
  success: 'succeeded',
  failed: 'failed',
  denied: 'denied',
  expired: 'expired',
  cancelled: 'cancelled',
  unknown: 'unknown',
};

/** Only a running attempt has one of these outcomes. */
const OUTCOMES = new Set(['action.succeeded', 'action.failed', 'action.stopped', 'action.lost']);

/** The facts of an action that later events need, until it has ended. */
type Live = AskedFor & {
  type: string;
  isHigh: boolean;
  isIrreversible: boolean;
  isByGrant: boolean;
  /** The approved plan it says lets it through. */
  planId?: string;
  startedAtMs?: number;
};

export type Recorder = {
  /** Counts one event into the rollup of its minute. Events come in the order of the journal. */
  note(event: RecordedEvent, rollup: Rollup): void;
  /** Remembers a request whose action has ended, as one that later requests are compared with. */
  noteRequest(event: RecordedEvent): void;
};

export function createRecorder(seen: SeenBefore): Recorder {
  const live = new Map<string, Live>();
  const plans = createPlanRecorder();
  const demand = createDemand(seen);

  function requested(event: RecordedEvent, rollup: Rollup): void {
    const { counters } = rollup;
    const metadata = event.metadata ?? {};
    const action = liveFrom(metadata);
    const { inLastMinute, isRepeat, isNovel } = demand.requested(event);
    counters.requested += 1;
    counters[requestedAt(metadata.risk)] += 1;
    rollup.types[action.type] = (rollup.types[action.type] ?? 0) + 1;
    rollup.burstPeak = Math.max(rollup.burstPeak, inLastMinute);
    if (isRepeat) counters.repeated += 1;
    if (isNovel) counters.novel += 1;
    if (metadata.verdict === 'allow') counters.requestedAllowed += 1;
    if (metadata.verdict === 'ask') countAll(counters, ['requestedAsking', 'prompted']);
    if (metadata.verdict === 'block') counters.blocked += 1;
    else live.set(event.actionId ?? '', action);
  }

  function ofLive(event: RecordedEvent, rollup: Rollup): void {
    const id = event.actionId ?? '';
    const action = live.get(id);
    countUnexpected(event, action, rollup);
    if (action === undefined) return;
    if (event.kind === 'action.dispatched') {
      if (action.planId !== undefined) action.isDecided = plans.isDecided(action.planId);
      dispatched(action, event, rollup);
    }
    if (event.kind === 'confirmation.shown') countShown(action, event, rollup);
    if (event.kind === 'action.allowed') countAllowed(action, event, rollup);
    const end = ENDS[String(event.metadata?.status)];
    if (end === undefined) return;
    ended(action, event, { rollup, end });
    live.delete(id);
  }

  function refused(event: RecordedEvent, rollup: Rollup): void {
    const count = refusedRequests(event);
    if (count === 0) return;
    rollup.counters.requestRefused += count;
    rollup.burstPeak = Math.max(rollup.burstPeak, demand.refused(event.atMs, count));
  }

  return {
    note(event, rollup) {
      if (event.kind === 'action.requested') requested(event, rollup);
      else if (/^(action|confirmation)\./.test(event.kind)) ofLive(event, rollup);
      if (event.confirmationId !== undefined || event.kind === 'task.ended') plans.note(event, rollup);
      countOther(event, rollup);
      if (event.kind === 'request.refused') refused(event, rollup);
    },
    noteRequest: (event) => void demand.requested(event),
  };
}

function liveFrom(metadata: { [name: string]: unknown }): Live {
  const risk = metadata.risk;
  const by = String(metadata.by);
  const isHigh = risk === 'high' || risk === 'critical';
  return {
    type: String(metadata.type),
    isElevated: isHigh || risk === 'medium',
    isHigh,
    isIrreversible: metadata.irreversible === true,
    isByGrant: by.startsWith('grt_'),
    isDecided: metadata.verdict === 'allow',
    isWaiting: metadata.verdict === 'ask',
    ...(by.startsWith('cnf_') && { planId: by }),
  };
}

function requestedAt(risk: unknown): Counter {
  return risk === 'medium' || risk === 'high' || risk === 'critical' ? REQUESTED_AT[risk] : REQUESTED_AT.low;
}

function dispatched(action: Live, event: RecordedEvent, { counters }: Rollup): void {
  action.startedAtMs = event.atMs;
  counters.executed += 1;
  if (Number(event.metadata?.attempt) > 1) counters.retried += 1;
  if (CAPTURES.has(action.type)) counters.captured += 1;
  if (!action.isElevated) return;
  counters.executedElevated += 1;
  if (action.isByGrant) counters.executedByGrant += 1;
  if (!action.isDecided) counters.executedUndecided += 1;
}

function ended(action: Live, event: RecordedEvent, { rollup, end }: { rollup: Rollup; end: Counter }): void {
  const { counters } = rollup;
  counters[end] += 1;
  if (event.kind === 'action.denied' || event.kind === 'action.expired') notApproved(action, event, rollup);
  if (action.startedAtMs === undefined) return;
  countEffect(action, event, rollup);
  if (end !== 'succeeded' && end !== 'failed') return;
  const tookMs = Math.max(0, event.atMs - action.startedAtMs);
  addValue(rollup.executionMs, tookMs);
  rollup.slowestMs = Math.max(rollup.slowestMs, tookMs);
}

/** Only at the end of an attempt is it known whether it may have had an effect. */
function countEffect(action: Live, { metadata }: RecordedEvent, { counters }: Rollup): void {
  if (metadata?.sideEffect === 'none') {
    counters.executedWithoutEffect += 1;
    return;
  }
  if (action.isIrreversible) counters.executedIrreversible += 1;
  if (action.isHigh) counters.executedHigh += 1;
}

function notApproved(action: Live, event: RecordedEvent, rollup: Rollup): void {
  const { counters } = rollup;
  const { kind, metadata } = event;
  // A request that repeats a recent denial is denied in the transaction that stores it, without a prompt.
  if (metadata?.confirmationId === undefined) {
    if (kind === 'action.denied') counters.prompted -= 1;
    return;
  }
  if (kind === 'action.denied') countDenied(action, event, rollup);
  else counters.promptExpired += 1;
}

function countAll(counters: Rollup['counters'], names: readonly Counter[]): void {
  for (const name of names) counters[name] += 1;
}

/** The state machine lets neither happen, so each of these shows a control that failed. */
function countUnexpected({ kind }: RecordedEvent, action: Live | undefined, { counters }: Rollup): void {
  if (kind === 'action.allowed' && action?.isWaiting !== true) counters.approvedUnasked += 1;
  if (OUTCOMES.has(kind) && action?.startedAtMs === undefined) counters.outcomeUnexpected += 1;
}
