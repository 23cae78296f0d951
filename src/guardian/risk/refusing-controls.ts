import type { Counter } from '../../contract/counters.ts';
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
