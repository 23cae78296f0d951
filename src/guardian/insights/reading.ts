import type { RiskLevel } from '../../contract/action.ts';
import { clamp } from '../statistics/statistics.ts';
import type { Answer } from './facts.ts';

/** Silent reading of English non-fiction: 238 words a minute on average, most adults 175 to 300 (Brysbaert 2019, 190 studies). */
const WORDS_A_MINUTE = 240;
/** With its space. Counting characters also works for JSON, which has no words. */
const CHARACTERS_A_WORD = 6;
const MS_A_CHARACTER = 60_000 / (WORDS_A_MINUTE * CHARACTERS_A_WORD);

/** The usual length of a prompt for one action; stands for the length of a prompt that the page did not report as shown. */
const USUAL_CHARACTERS = 240;

/**
 * Our own. Between the slowest habit of approving everything (a median of 3.5 s) and the quickest careful one (5 s). A very long
 * prompt takes a little longer: nobody understands 1,200 words a minute (Rayner et al. 2016).
 */
const CARE_MS = { least: 4_600, most: 6_000 };
const FASTEST_TIMES = 5;

/** How long reading a text of so many characters takes, in milliseconds. */
export function readingMs(characters: number): number {
  return characters * MS_A_CHARACTER;
}

/** An answer sooner than this, in milliseconds, was hardly considered. Never more than reading the prompt takes. */
export function leastCareMs({ characters }: Pick<Answer, 'characters'>): number {
  const wholeMs = readingMs(characters ?? USUAL_CHARACTERS);
  return clamp(wholeMs / FASTEST_TIMES, { from: Math.min(CARE_MS.least, wholeMs), to: CARE_MS.most });
}

/** How much a prompt asks of a careful person, to compare prompts with each other. A request they know takes less of their time. */
export function demandOf({ characters, isRepeat, risk }: Pick<Answer, 'characters' | 'isRepeat' | 'risk'>): number {
  return (characters ?? USUAL_CHARACTERS) * (isRepeat ? KNOWN_PART : 1) * RISK_WEIGHTS[risk];
}

/** Our own: the part of a known request that is still looked at. */
const KNOWN_PART = 1 / 3;
const RISK_WEIGHTS: Record<RiskLevel, number> = { low: 1, medium: 1, high: 1.5, critical: 2 };
