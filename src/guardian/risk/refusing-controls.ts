import type { Counter } from '../../contract/counters.ts';
import type { InsightStep } from '../../contract/guardian.ts';
import type { Rollup } from '../recording/rollup.ts';
import { clamp } from '../statistics/statistics.ts';

/** The controls that refuse attempts. */
export const HELD_CONTROLS = [
  'webPage',
  'host',
  'osUser',
  'userKey',
  'consoleKey',
  'agentToken',
  'selfApproval',
  'promptState',
  'agentResult',
] as const;
export type HeldControl = (typeof HELD_CONTROLS)[number];

/** How often each control held, or how often it usually does. */
export type HeldCounts = Record<HeldControl, number>;

/** A control that held: how often, and how much that adds to the risk, as a share of 1. */
export type Held = { control: HeldControl; attempts: number; share: number };

/**
 * The share of risk that one refused attempt adds, and the most that `many` of them add; shares of 1, of our own judgement. A page can
 * send thousands of requests without aiming at Handrail; a key or an answer that is tried aims at the person's place.
 */
type Weight = { counters: readonly Counter[]; first: number; most: number; many: number };

const WEIGHTS: Record<HeldControl, Weight> = {
  webPage: { counters: ['crossSiteRefused', 'originRefused'], first: 0.02, most: 0.3, many: 10_000 },
  host: { counters: ['hostRefused'], first: 0.05, most: 0.35, many: 1_000 },
  osUser: { counters: ['osUserRefused'], first: 0.1, most: 0.45, many: 100 },
  userKey: { counters: ['userKeyRefused'], first: 0.1, most: 0.45, many: 30 },
  consoleKey: { counters: ['consoleKeyRefused'], first: 0.2, most: 0.7, many: 10 },
  agentToken: { counters: ['agentTokenRefused'], first: 0.2, most: 0.7, many: 10 },
  selfApproval: { counters: ['approvalRefused'], first: 0.25, most: 0.49, many: 10 },
  promptState: { counters: ['digestMismatched'], first: 0.05, most: 0.35, many: 20 },
  agentResult: { counters: ['replayed'], first: 0.1, most: 0.4, many: 20 },
};

/** Controls whose keys open the console or stand for the agent: trying them may be worse than moderate although they held. */
const CREDENTIALS_OF_HANDRAIL: readonly HeldControl[] = ['consoleKey', 'agentToken'];
/** The end of the level `moderate`. */
const MOST_OF_OTHERS = 0.49;

/** How often each control held in a span. */
export function heldCounts({ counters }: Pick<Rollup, 'counters'>): HeldCounts {
  const countOf = (control: HeldControl) => WEIGHTS[control].counters.reduce((sum, name) => sum + counters[name], 0);
  return Object.fromEntries(HELD_CONTROLS.map((control) => [control, countOf(control)])) as HeldCounts;
}

/** The counters that tell of controls that held. */
export function heldCounters(controls: readonly HeldControl[] = HELD_CONTROLS): Counter[] {
  return controls.flatMap((control) => WEIGHTS[control].counters);
}

/**
 * Each control that held, the weightiest first. `usual`: how often it holds in a window of this length on this desktop; attempts that
 * come every day weigh less, since n attempts count as n/(1 + usual). The share grows with the logarithm of that number.
 */
export function heldControls(counts: HeldCounts, usual: HeldCounts): Held[] {
  return HELD_CONTROLS.filter((control) => counts[control] > 0)
    .map((control) => ({
      control,
      attempts: counts[control],
      // Wrong keys have no usual: tried every day they are no less wrong.
      share: shareOf(control, counts[control], CREDENTIALS_OF_HANDRAIL.includes(control) ? 0 : usual[control]),
    }))
    .sort((one, other) => other.share - one.share);
}

function shareOf(control: HeldControl, attempts: number, usual: number): number {
  const { first, most, many } = WEIGHTS[control];
  const unusual = attempts / (1 + usual);
  if (unusual < 1) return first * unusual;
  return first + (most - first) * clamp(Math.log(unusual) / Math.log(many), { from: 0, to: 1 });
}

/**
 * The part of all held controls in the risk, as a share of 1: each further one counts less, as in the score itself. At most
 * 0.49, unless keys of the console or tokens of the agent were tried.
 */
export function heldShare(held: readonly Held[]): number {
  const safety = held.reduce((product, { share }, index) => product * (1 - share) ** (1 / (index + 1)), 1);
  const isCredential = held.some(({ control }) => CREDENTIALS_OF_HANDRAIL.includes(control));
  return isCredential ? 1 - safety : Math.min(MOST_OF_OTHERS, 1 - safety);
}

const ATTEMPTS: Record<HeldControl, { one: string; many: string }> = {
  webPage: { one: 'request of a web page', many: 'requests of web pages' },
  host: { one: 'request under another host name', many: 'requests under other host names' },
  osUser: { one: 'request of another OS user', many: 'requests of other OS users' },
  userKey: { one: 'request with a wrong requester key', many: 'requests with wrong requester keys' },
  consoleKey: { one: 'wrong key or code for the console', many: 'wrong keys or codes for the console' },
  agentToken: { one: 'wrong agent token', many: 'wrong agent tokens' },
  selfApproval: { one: 'answer to a prompt by a program', many: 'answers to prompts by programs' },
  promptState: { one: 'answer to an earlier state of a prompt', many: 'answers to earlier states of prompts' },
  agentResult: { one: 'agent result for no running action', many: 'agent results for no running action' },
};

/** `12 wrong agent tokens, 1 request of a web page`, the weightiest first. */
export function heldWords(held: readonly Held[]): string {
  return held
    .map(({ control, attempts }) => `${attempts} ${attempts === 1 ? ATTEMPTS[control].one : ATTEMPTS[control].many}`)
    .join(', ');
}

const TITLES: Record<HeldControl, (times: string) => string> = {
  webPage: (times) => `A web page tried to use Handrail${times}`,
  host: (times) => `A request came under another host name${times}`,
  osUser: (times) => `Another user of this computer tried to use Handrail${times}`,
  userKey: (times) => `A program tried a wrong requester key${times}`,
  consoleKey: (times) => `Someone entered a wrong sign-in code or key${times}. Was it you?`,
  agentToken: (times) => `A program tried a wrong agent token${times}`,
  selfApproval: (times) => `A program tried to answer a prompt${times}`,
  promptState: (times) => `An answer came for an outdated prompt${times}`,
  agentResult: (times) => `The agent sent a result for no running action${times}`,
};

/** The fact that a control refused attempts, as the title of an insight: `A program tried a wrong agent token 12 times`. */
export function attemptTitle({ control, attempts }: Held): string {
  return TITLES[control](attempts === 1 ? '' : ` ${attempts} times`);
}

/** Names refused attempts only: it never says that one had an effect. */
export function heldSentence(held: readonly Held[]): string {
  return `Refused: ${heldWords(held)}.`;
}

const FAILURES: readonly { counter: Counter; one: string; many: string }[] = [
  { counter: 'journalBroken', one: 'check of the journal failed', many: 'checks of the journal failed' },
  {
    counter: 'executedUndecided',
    one: 'action above low risk ran without a valid decision',
    many: 'actions above low risk ran without a valid decision',
  },
  {
    counter: 'approvedUnasked',
    one: 'approval was recorded although no prompt was waiting',
    many: 'approvals were recorded although no prompt was waiting',
  },
  {
    counter: 'outcomeUnexpected',
    one: 'outcome was recorded for an action that was not running',
    many: 'outcomes were recorded for actions that were not running',
  },
];

/** `2 checks of the journal failed.`, a sentence for each kind of control that failed. */
export function failureSentence({ counters }: Pick<Rollup, 'counters'>): string {
  return FAILURES.filter(({ counter }) => counters[counter] > 0)
    .map(({ counter, one, many }) => `${counters[counter]} ${counters[counter] === 1 ? one : many}.`)
    .join(' ');
}

const STATUS = '/api/console/status';

const look = (label: string, target: string | null): InsightStep => ({ kind: 'inspect', label, target });

/** The next step of the person when attempts were refused. */
export const HELD_STEPS: Record<HeldControl, InsightStep> = {
  webPage: look('Close the web page that sends these requests', null),
  host: look('Close the web page that sends these requests', null),
  osUser: look('Find out which OS user calls Handrail', null),
  userKey: look('Look at your requesters', STATUS),
  consoleKey: look('Look at who is signed in', '/api/console/sessions'),
  agentToken: look('Look at the state of the agent', STATUS),
  selfApproval: { kind: 'review_grants', label: 'Look at your grants', target: null },
  promptState: look('Look at the prompts that wait', '/api/console/confirmations'),
  agentResult: look('Look at the state of the agent', STATUS),
};
