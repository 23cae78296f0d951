import { placeOf } from '../../contract/dangers.ts';
import type { ScriptView } from '../../contract/scripts.ts';
import type { RiskRule } from '../risk.ts';
import { type Danger, GRAVE } from './finding.ts';
import type { Noted, Noticed } from './notice-dangers.ts';

const MOST_IN_SENTENCE = 4;
const MOST_LINES = 5;
const MOST_IN_REASONS = 3;
const MOST_IN_LIST = 24;

const IS_GRAVE: ReadonlySet<Danger> = new Set(GRAVE);

const NOT_READ = 'Handrail did not read the whole script: it is too long or too deep.';

/** The end of a prompt's sentence: ". Handrail noticed: deletes ~/notes.txt (line 3)". Empty where nothing was noticed. */
export function noticedInSentence({ findings, isCut }: Noticed): string {
  const told = findings.slice(0, MOST_IN_SENTENCE).map(inWords);
  const rest = findings.length - told.length;
  const more = rest > 0 ? [`${rest} more`] : [];
  const noticed = told.length === 0 ? '' : `. Handrail noticed: ${[...told, ...more].join('; ')}`;
  return isCut ? `${noticed}. ${NOT_READ.slice(0, -1)}` : noticed;
}

/** The reasons that the dangers add to the risk of a script: the gravest few, at the level of the gravest. */
export function rulesOfNoticed({ findings, isCut }: Noticed): RiskRule[] {
  const grave = findings.filter(({ danger }) => IS_GRAVE.has(danger));
  const level = grave.length > 0 ? 'critical' : 'high';
  const told = (grave.length > 0 ? grave : findings).slice(0, MOST_IN_REASONS);
  const rules = told.map((finding): RiskRule => ({ level, reason: `It ${inWords(finding)}.` }));
  return isCut ? [...rules, { level: 'critical', reason: NOT_READ }] : rules;
}

/**
 * What was noticed in a script that a sandbox confines to its own folder, without what is no danger there: it reads and lists the folder.
 * Whether a file that it writes is there already is not known.
 */
export function noticedInSandbox({ findings, isCut }: Noticed, folder: string | undefined): Noticed {
  const told = findings.flatMap((finding): Noted[] => {
    if (isRaising(finding, folder) || mayLieOutside(finding.words, folder)) return [finding];
    if (finding.danger === 'reads' || finding.danger === 'looks') return [];
    return finding.danger === 'overwrites' ? [{ ...finding, words: `${finding.words}, if present` }] : [finding];
  });
  return { findings: told, isCut };
}

/**
 * The same for a script that a sandbox confines to its own folder, without a network. Such a script is meant to change that folder. So a
 * finding raises the risk only if it is grave, or about programs, services or places outside of the folder.
 */
export function rulesOfConfined(noticed: Noticed, folder: string | undefined): RiskRule[] {
  return rulesOfNoticed({ ...noticed, findings: noticed.findings.filter((finding) => isRaising(finding, folder)) });
}

function isRaising({ danger, words }: Noted, folder: string | undefined): boolean {
  if (IS_GRAVE.has(danger) || danger === 'installs' || danger === 'stops') return true;
  return words.endsWith(' as administrator') || (OUTSIDE[danger]?.test(words) === true && mayLieOutside(words, folder)); // guard X17-3
}

/** The words of dangers that count where they are about a place outside of the folder. */
const OUTSIDE: Partial<Record<Danger, RegExp>> = {
  deletes: /^/u,
  overwrites: /^/u,
  changes: /^/u,
  reads: /^reads (?:~|\.\.|\/(?:home|Users|root)\/)/u,
};

/** Whether a sentence names a place that is not known to lie in the folder, or leaves a part out. */
function mayLieOutside(words: string, folder: string | undefined): boolean {
  if (/…|\.\.| more$/u.test(words)) return true;
  const named = words.split(/[\s,"'()]+/u).filter((word) => /^[~$]|^\/(?!tmp\/)/u.test(word));
  return named.some((place) => folder === undefined || !place.startsWith(`${folder}/`));
}

/** The dangers as the prompt lists them. */
export function noticedInView({ findings, isCut }: Noticed): Pick<ScriptView, 'noticed' | 'noticedCut'> {
  const noticed = findings.slice(0, MOST_IN_LIST).map(({ words, lines, variable }) => {
    return { words, lines, variable };
  });
  return { noticed, noticedCut: isCut || findings.length > noticed.length };
}

function inWords({ words, ...place }: Noted): string {
  return `${words} (${placeOf(place, MOST_LINES)})`;
}
