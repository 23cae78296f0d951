import type { MetricType } from '../../contract/guardian.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isInput } from '../../domain/catalogue.ts';
import type { Measure, RequesterDay } from '../requesters/requester-day.ts';
import { inputWords, type RequesterLine, type Sign } from '../requesters/requester-line.ts';
import { isYoung } from '../requesters/usual-days.ts';
import { evidenceOf, inspect, mostIn } from './evidence.ts';
import type { Facts, Request } from './facts.ts';
import { counted, type Finding, REQUESTER } from './finding.ts';

const METRICS: Record<Sign, MetricType> = {
  requested: 'action_rate',
  high: 'high_risk_executions',
  novel: 'novel_action_share',
  captured: 'screen_capture_rate',
  inputs: 'elevated_action_share',
  interrupted: 'human_intervention_rate',
  'first actions at high risk': 'high_risk_executions',
  'another program': 'elevated_action_share',
  'at night': 'elevated_action_share',
  'one more app each day': 'novel_action_share',
};

/** Part of the risk, from 0 to 1, by how much a sign can do. Much more of the usual is less than anything of another kind. Our own. */
const SHARES: Record<Sign, number> = {
  requested: 0.26,
  captured: 0.4,
  inputs: 0.4,
  interrupted: 0.3,
  high: 0.5,
  'first actions at high risk': 0.5,
  novel: 0.52,
  'another program': 0.58,
  'at night': 0.5,
  'one more app each day': 0.4,
};

/** The noun that is counted, and the words after it. */
const WHAT = {
  requested: ['request', ''],
  high: ['high-risk action', ''],
  novel: ['target', ' never used before'],
  captured: ['look', ' at the screen'],
  interrupted: ['time', ' that you took the mouse from it'],
} as const;

/** The subject of the insight about one requester. */
export function requesterSubject(userId: string): string {
  return `unusual_requester ${userId}`;
}

/** Signs that are about actions of high risk, and about nothing else. */
const OF_HIGH_RISK: readonly Sign[] = ['high', 'first actions at high risk'];

/** Signs that are about clicks and keys. */
const OF_INPUT: readonly Sign[] = ['inputs', 'interrupted', 'at night'];

/** A requester that does much more than on its days before, or that does so from its first day, or from another program. */
export function unusualRequesters({ requesters, requests }: Facts): Finding[] {
  const hasPast = requesters.some(({ past }) => !isYoung(past));
  return requesters.flatMap((line) => {
    const { userId, signs, words, day } = line;
    const [worst] = signs.toSorted((one, other) => SHARES[other] - SHARES[one]);
    if (worst === undefined) return [];
    const shown = requests.filter((request) => request.userId === userId);
    const wasAsked = signs.every((sign) => OF_HIGH_RISK.includes(sign)) && isAsked(day);
    const isOwn = wasAsked && !hasPast;
    const pause = { kind: 'pause_requester' as const, label: `Pause ${REQUESTER}`, target: REQUESTER };
    return {
      subject: requesterSubject(userId),
      category: 'safety' as const,
      severity: SHARES[worst] >= 0.5 && !isOwn ? ('high' as const) : ('warning' as const),
      title: `${words}${appWords(line, shown)}`,
      detail: `${reasonOf(line)} Pause it if that is not what you wanted. Acknowledge it if you expected it: it then counts as usual.`,
      metricTypes: [...new Set([worst, ...signs].map((sign) => METRICS[sign]))],
      evidence: evidenceOf(shown),
      ...(isOwn ? inspect(shown) : { action: pause }),
      userId,
      risk: { cause: 'requesters' as const, share: SHARES[worst], wasAsked },
    };
  });
}

/** The app in which most of its inputs were, or that it was let into last, where the line is told for that. */
function appWords({ signs }: RequesterLine, requests: readonly Request[]): string {
  if (signs.some((sign) => OF_INPUT.includes(sign)))
    return mostIn(requests.filter(({ actionType }) => isInput(actionType)));
  const [latest] = requests.filter(({ actionType, app }) => actionType === requestAccess.name && app !== null);
  return signs.includes('one more app each day') && latest !== undefined ? `, now ${latest.app}` : '';
}

/** The person was asked about each of its actions of high risk. */
function isAsked({ types }: RequesterDay): boolean {
  return types.every(({ prompted, high }) => prompted >= high);
}

function reasonOf({ exceeded, signs, past, program }: RequesterLine): string {
  const reasons = exceeded.map(({ measure, amount, most, limit }) =>
    most === null
      ? `${amountWords(measure, amount)}; without a history the limit is ${limit} a day.`
      : `${amountWords(measure, amount)}; at most ${most} on ${counted(past.days.length, 'day')} before.`,
  );
  if (signs.includes('first actions at high risk')) reasons.push('It is new, and does little but high-risk actions.');
  if (signs.includes('at night')) reasons.push('It never clicked or pressed keys at night before.');
  if (signs.includes('one more app each day')) reasons.push('Each day it may act in one more app.');
  if (signs.includes('another program') && program !== null) {
    reasons.push(`${program.name} asked ${counted(program.asked, 'time')}, unlike the programs before it.`);
  }
  return reasons.join(' ');
}

function amountWords(measure: Measure, amount: number): string {
  if (measure === 'inputs') return inputWords(amount);
  const [noun, rest] = WHAT[measure];
  return `${counted(amount, noun)}${rest}`;
}
