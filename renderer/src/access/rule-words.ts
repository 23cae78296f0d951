import type { ProfileRule } from '../../../src/contract/profile.ts';

export const VERDICT_WORDS: Record<ProfileRule['verdict'], string> = {
  allow: 'runs',
  ask: 'asks you',
  block: 'is blocked',
};

/** The conditions of a rule, all of which must hold, each in words. */
export function ruleConditions(rule: ProfileRule): string[] {
  const { levels, effectClasses, actionTypes, apps, paths, hours, morePerMinuteThan, morePerHourThan } = rule;
  return [
    listed('the app is', apps),
    listed('the path is', paths),
    hours && `it is between ${hours.from} and ${hours.to}`,
    listed('the action type is', actionTypes),
    listed('the risk is', levels),
    listed('the effect class is', effectClasses),
    morePerMinuteThan === undefined ? undefined : `there are more than ${morePerMinuteThan} requests a minute`,
    morePerHourThan === undefined ? undefined : `there are more than ${morePerHourThan} requests an hour`,
  ].filter((each) => each !== undefined);
}

/** Such as `Is blocked if the app is Mail or Notes, and it is between 22:00 and 06:00`. */
export function ruleSentence(rule: ProfileRule): string {
  const words = VERDICT_WORDS[rule.verdict];
  const conditions = ruleConditions(rule);
  const verdict = words.charAt(0).toUpperCase() + words.slice(1);
  return conditions.length === 0 ? `${verdict} always` : `${verdict} if ${conditions.join(', and ')}`;
}

/** The fields of a new rule, as the person fills them. `apps` and `paths`: one a line. `from` and `to`: `HH:MM`, or empty. */
export type RuleDraft = { verdict: ProfileRule['verdict']; apps: string; paths: string; from: string; to: string };

/** The rule of a draft, or the reason why there is none, for the person. */
export function ruleOf({ verdict, apps, paths, from, to }: RuleDraft): ProfileRule | string {
  if ((from === '') !== (to === '')) return 'Hours need a beginning and an end.';
  const [appLines, pathLines] = [linesOf(apps), linesOf(paths)];
  const rule: ProfileRule = {
    verdict,
    ...(appLines.length > 0 && { apps: appLines }),
    ...(pathLines.length > 0 && { paths: pathLines }),
    ...(from !== '' && { hours: { from, to } }),
  };
  return ruleConditions(rule).length === 0 ? 'A rule needs an app, a path or hours.' : rule;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function listed(words: string, values: readonly string[] | undefined): string | undefined {
  if (values === undefined) return undefined;
  return `${words} ${values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`}`;
}
