import { createDemand, type SeenBefore } from './demand.ts';
import { addValue } from './log-histogram.ts';
import { countOther } from './other-events.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Counter, Rollup } from './rollup.ts';

/** An answer sooner than this after the prompt could be answered was hardly a thought. */
const HASTY_MS = 2_000;
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

/** What is remembered of an action until it has ended. */
type Live = {
  type: string;
  isElevated: boolean;
  isHigh: boolean;
  isIrreversible: boolean;
  isByGrant: boolean;
  isDecided: boolean;
  answerableAtMs?: number;
  startedAtMs?: number;
};

export type Recorder = {
  /** Counts one event into the rollup of its minute. Events come in the order of the journal. */
  note(event: RecordedEvent, rollup: Rollup): void;
};

export function createRecorder(seen: SeenBefore): Recorder {
  const live = new Map<string, Live>();
  const demand = createDemand(seen);

  function requested(event: RecordedEvent, rollup: Rollup): void {
    const { counters } = rollup;
    const metadata = event.metadata ?? {};
    const action = liveFrom(metadata);
    const { inLastMinute, isRepeat, isNovel } = demand(event);
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
    if (action === undefined) return;
    if (event.kind === 'action.dispatched') dispatched(action, event, rollup);
    if (event.kind === 'confirmation.shown') shown(action, event, rollup);
    if (event.kind === 'action.allowed') allowed(action, event, rollup);
    const end = ENDS[String(event.metadata?.status)];
    if (end === undefined) return;
    ended(action, event, { rollup, end });
    live.delete(id);
  }

  return {
    note(event, rollup) {
      if (event.kind === 'action.requested') requested(event, rollup);
      else if (/^(action|confirmation)\./.test(event.kind)) ofLive(event, rollup);
      countOther(event, rollup);
    },
  };
}

function liveFrom(metadata: { [name: string]: unknown }): Live {
  const risk = metadata.risk;
  const isHigh = risk === 'high' || risk === 'critical';
  return {
    type: String(metadata.type),
    isElevated: isHigh || risk === 'medium',
    isHigh,
    isIrreversible: metadata.irreversible === true,
    isByGrant: String(metadata.by).startsWith('grt_'),
    isDecided: metadata.verdict === 'allow',
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
  if (action.isIrreversible) counters.executedIrreversible += 1;
  if (action.isHigh) counters.executedHigh += 1;
  if (!action.isElevated) return;
  counters.executedElevated += 1;
  if (action.isByGrant) counters.executedByGrant += 1;
  if (!action.isDecided) counters.executedUndecided += 1;
}

function shown(action: Live, { atMs, metadata }: RecordedEvent, { counters }: Rollup): void {
  action.answerableAtMs = atMs + Number(metadata?.delayMs ?? 0);
  counters.promptShown += 1;
}

function allowed(action: Live, { atMs }: RecordedEvent, rollup: Rollup): void {
  const { counters } = rollup;
  action.isDecided = true;
  counters.promptAllowed += 1;
  if (action.isElevated) counters.promptAllowedElevated += 1;
  if (action.answerableAtMs === undefined) return;
  addValue(rollup.responseMs, Math.max(0, atMs - action.answerableAtMs));
  if (action.isElevated && atMs - action.answerableAtMs < HASTY_MS) counters.promptAllowedHastily += 1;
}

function ended(action: Live, event: RecordedEvent, { rollup, end }: { rollup: Rollup; end: Counter }): void {
  const { counters } = rollup;
  counters[end] += 1;
  if (event.kind === 'action.denied' || event.kind === 'action.expired') refused(action, event, rollup);
  if (action.startedAtMs === undefined || (end !== 'succeeded' && end !== 'failed')) return;
  const tookMs = Math.max(0, event.atMs - action.startedAtMs);
  addValue(rollup.executionMs, tookMs);
  rollup.slowestMs = Math.max(rollup.slowestMs, tookMs);
}

function refused(action: Live, { kind, atMs, metadata }: RecordedEvent, rollup: Rollup): void {
  const { counters } = rollup;
  // What repeats a fresh no is denied as it is stored, in the same minute: no prompt ever came of it.
  if (metadata?.confirmationId === undefined) {
    if (kind === 'action.denied') counters.prompted -= 1;
    return;
  }
  counters[kind === 'action.denied' ? 'promptDenied' : 'promptExpired'] += 1;
  if (kind === 'action.denied' && action.answerableAtMs !== undefined)
    addValue(rollup.responseMs, Math.max(0, atMs - action.answerableAtMs));
}

function countAll(counters: Rollup['counters'], names: readonly Counter[]): void {
  for (const name of names) counters[name] += 1;
}
