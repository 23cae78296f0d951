import { doing } from '../../contract/doing.ts';
import { isPersonsInterruption } from '../../domain/persons-answer.ts';
import { measure } from '../recording/metrics.ts';
import {
  attemptTitle,
  failureSentence,
  HELD_CONTROLS,
  HELD_STEPS,
  type Held,
  type HeldCounts,
  heldControls,
  heldCounts,
  heldWords,
} from '../risk/refusing-controls.ts';
import {
  evidenceOf,
  type Facts,
  HOUR_MS,
  inspect,
  MINUTE_MS,
  pauseOrInspect,
  type RefusedRequests,
  type Request,
} from './facts.ts';
import { counted, type Finding, REQUESTER } from './finding.ts';

const BURST = 60;

/** Much more at once than hands would do. */
export function burst({ nowMs, hour, requests }: Facts): Finding[] {
  const { burstPeak } = hour.rollup;
  if (burstPeak < BURST) return [];
  return [
    {
      subject: 'burst',
      category: 'safety',
      severity: burstPeak >= 2 * BURST ? 'high' : 'warning',
      title: `${burstPeak} actions requested in one minute`,
      detail: 'A program that is stuck in a loop looks like this.',
      metricTypes: ['action_burst_peak', 'action_rate'],
      ...pauseOrInspect(densestMinute(requests.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS))),
    },
  ];
}

/** Most requests that came within one minute; they are given newest first. */
function densestMinute(requests: readonly Request[]): readonly Request[] {
  let densest: readonly Request[] = [];
  let end = 0;
  for (const [begin, { createdAtMs }] of requests.entries()) {
    while ((requests[end]?.createdAtMs ?? Number.NEGATIVE_INFINITY) > createdAtMs - MINUTE_MS) end += 1;
    if (end - begin > densest.length) densest = requests.slice(begin, end);
  }
  return densest;
}

const WITHIN_MS = 10 * MINUTE_MS;
const LEAST_REPEATS = 5;
const MOST_LOOPS = 5;
const IN_VAIN: readonly string[] = ['failed', 'denied', 'expired', 'blocked', 'unknown'];

/** The very same action again and again, and never to any effect. */
export function retryLoop({ nowMs, requests }: Facts): Finding[] {
  const lately = requests.filter(({ createdAtMs }) => createdAtMs > nowMs - WITHIN_MS);
  const alike = Map.groupBy(lately, ({ userId, digest }) => JSON.stringify([userId, digest]));
  return [...alike.values()]
    .filter((requests) => !requests.some(({ status }) => status === 'success'))
    .map((requests) => requests.filter(isInVain))
    .filter((inVain) => inVain.length >= LEAST_REPEATS)
    .slice(0, MOST_LOOPS)
    .map(loopOf);
}

function isInVain({ status, errorCode }: Request): boolean {
  return IN_VAIN.includes(status) && !isPersonsInterruption(errorCode);
}

/** An action type as a verb with its object, such as `open the same app`. A type without an object is a verb alone. */
function doingTheSame(actionType: string): string {
  const [verb = '', ...object] = doing(actionType).split(' ');
  return object.length === 0 || object[0] === 'for' ? verb : `${verb} the same ${object.join(' ')}`;
}

function loopOf(requests: readonly Request[]): Finding {
  const [{ userId = '', actionType = '', digest = '' } = {}] = requests;
  return {
    subject: `retry_loop ${userId} ${digest}`,
    category: 'reliability',
    severity: requests.length >= 4 * LEAST_REPEATS ? 'high' : 'warning',
    title: `${REQUESTER} asked ${requests.length} times in 10 minutes to ${doingTheSame(actionType)}, in vain`,
    detail: 'It tries again although nothing has changed. Pause it, or look at how the latest request ended.',
    metricTypes: ['action_retry_rate'],
    evidence: evidenceOf(requests),
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}

/** A control of Handrail itself failed. Breaks of the journal have a rule of their own. */
export function failedControl({ day }: Facts): Finding[] {
  const { rollup } = day;
  const failures = measure('control_violations', day).sampleSize - rollup.counters.journalBroken;
  if (failures <= 0) return [];
  return [
    {
      subject: 'failed_control',
      category: 'integrity',
      severity: 'critical',
      title: `${counted(failures, 'security check')} failed in the last day`,
      detail: `${failureSentence({ counters: { ...rollup.counters, journalBroken: 0 } })} Pause everything until you know why.`,
      metricTypes: ['control_violations'],
      evidence: [],
      action: { kind: 'inspect', label: 'Look at the latest actions', target: '/api/console/activity' },
    },
  ];
}

/** From this share of risk on, attempts of a kind are worth a warning; from the second on, they are high. Our own choice. */
const WARNING = 0.2;
const HIGH = 0.4;

const NEVER = Object.fromEntries(HELD_CONTROLS.map((control) => [control, 0])) as HeldCounts;

/** Keys, codes, addresses, answers or results that Handrail refused. A few stray requests are no warning. */
export function refusedCredentials({ day }: Facts): Finding[] {
  const held = heldControls(heldCounts(day.rollup), NEVER);
  const [worst] = held;
  if (worst === undefined) return [];
  return [
    {
      subject: 'refused_credentials',
      category: 'safety',
      severity: severityOf(worst),
      title: attemptTitle(worst),
      detail: `Refused in the last day: ${heldWords(held)}. None had an effect.`,
      metricTypes: ['control_violations'],
      evidence: [],
      action: HELD_STEPS[worst.control],
    },
  ];
}

function severityOf({ share }: Held): Finding['severity'] {
  if (share >= HIGH) return 'high';
  return share >= WARNING ? 'warning' : 'info';
}

/** Our own judgement: a program that asks this often does not take the refusal for an answer. */
const AGAIN_AND_AGAIN = 5;
const FLOOD = 100;
const MOST = 10;

/** A requester asks again and again for a capability that its device was registered without. */
export function refusedRequestsOf({ refusedRequests }: Facts): Finding[] {
  return [...Map.groupBy(refusedRequests, ({ userId }) => userId)]
    .map(([userId, ofUser]) => ({ userId, ofUser, times: sum(ofUser) }))
    .filter(({ times }) => times >= AGAIN_AND_AGAIN)
    .toSorted((one, other) => other.times - one.times)
    .slice(0, MOST)
    .map(({ userId, ofUser, times }) => refusedOf(userId, times, capabilitiesIn(ofUser)));
}

function refusedOf(userId: string, times: number, capabilities: string): Finding {
  return {
    subject: `refused_requests ${userId}`,
    category: 'safety',
    severity: times >= FLOOD ? 'warning' : 'info',
    title: `${REQUESTER} was refused ${times} times in a day`,
    detail: `Its device was registered without the capabilities that it asks for: ${capabilities}. Pause it, or register a device that has them.`,
    metricTypes: ['denied_action_share'],
    evidence: [],
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}

function capabilitiesIn(refused: readonly RefusedRequests[]): string {
  return [...Map.groupBy(refused, ({ capability }) => capability)]
    .map(([capability, ofCapability]) => `${doing(capability.replace(/^can/, ''))} (${sum(ofCapability)})`)
    .join(', ');
}

function sum(refused: readonly RefusedRequests[]): number {
  return refused.reduce((total, { times }) => total + times, 0);
}

const HIGH_RISKS: readonly string[] = ['high', 'critical'];
const MANY = 15;

/** More is done that cannot be undone than a person can look after. */
export function irreversible({ nowMs, hour, requests }: Facts): Finding[] {
  const { executedIrreversible, promptAllowedElevated } = hour.rollup.counters;
  if (executedIrreversible < MANY) return [];
  const shown = requests.filter(({ createdAtMs, risk }) => createdAtMs > nowMs - HOUR_MS && HIGH_RISKS.includes(risk));
  return [
    {
      subject: 'irreversible',
      category: 'safety',
      severity: 'warning',
      title: `${executedIrreversible} actions in an hour cannot be undone`,
      detail: 'Look whether you wanted all of them.',
      metricTypes: ['irreversible_executions'],
      evidence: evidenceOf(shown),
      ...inspect(shown),
      risk: {
        cause: 'irreversible_executions',
        share: 0.4,
        wasAsked: executedIrreversible <= promptAllowedElevated,
      },
    },
  ];
}
