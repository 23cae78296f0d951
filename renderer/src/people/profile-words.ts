import type { Profile, ProfileList } from '../../../src/contract/profile.ts';

type Listed = ProfileList['items'][number];
type Verdict = Profile['byLevel']['low'];

/** The effect of a profile, in one sentence. */
export function profileSentence(profile: Listed): string {
  const known = profile.builtIn ? BUILT_IN_SENTENCES[profile.name] : undefined;
  return known ?? `${levelsSentence(profile)}${rulesWords(profile.rules.length)}.${planWords(profile)}`;
}

const BUILT_IN_SENTENCES: Record<string, string> = {
  observe: 'Only reads of low risk run; everything else is blocked.',
  assist: 'Low risk runs; you are asked about the rest.',
  trusted: 'Low and medium risk run; you are asked about the rest.',
  lockdown: 'You are asked about everything of low and medium risk; high and critical are blocked.',
};

const LEVELS = ['low', 'medium', 'high', 'critical'] as const;
const VERDICTS: readonly [Verdict, string][] = [
  ['allow', 'runs without asking'],
  ['ask', 'asks you'],
  ['block', 'is blocked'],
];

function levelsSentence({ byLevel }: Profile): string {
  const parts = VERDICTS.flatMap(([verdict, words]) => {
    const levels = LEVELS.filter((level) => byLevel[level] === verdict);
    if (levels.length === 0) return [];
    return [levels.length === LEVELS.length ? `everything ${words}` : `${inList(levels)} risk ${words}`];
  });
  const sentence = parts.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

function rulesWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '; a rule of its own comes first' : `; ${count} rules of its own come first`;
}

function planWords({ requirePlan }: Profile): string {
  return requirePlan === true ? ' You are asked about plans only; a single action that would ask is blocked.' : '';
}

function inList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
