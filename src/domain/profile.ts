import { matchesGlob } from 'node:path';
import type { EffectClass, RiskLevel, Verdict } from '../contract/action.ts';
import { isSameApp } from '../contract/app-name.ts';
import type { Capabilities, Capability } from '../contract/device.ts';
import type { Profile, ProfileRule } from '../contract/profile.ts';
import type { Assessment } from './catalogue/definition.ts';

/** Allow, ask or block, and the rule that decided, as a sentence. */
export type Judgement = { verdict: Verdict; rule: string };

/** The input of a profile: the assessed action, and the circumstances that its rules may name. */
export type Case = {
  actionType: string;
  effectClass: EffectClass;
  assessment: Assessment;
  capabilities: Capabilities;
  /** Local time of day, minutes since midnight. */
  minuteOfDay: number;
  /** Submissions of this user within the last minute and hour, this one included. */
  recent: { perMinute: number; perHour: number };
};

export const BUILT_IN_PROFILES: readonly Profile[] = [
  {
    name: 'observe',
    byLevel: { low: 'block', medium: 'block', high: 'block', critical: 'block' },
    rules: [{ verdict: 'allow', levels: ['low'], effectClasses: ['pure'] }],
  },
  { name: 'assist', byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' }, rules: [] },
  { name: 'trusted', byLevel: { low: 'allow', medium: 'allow', high: 'ask', critical: 'ask' }, rules: [] },
  { name: 'lockdown', byLevel: { low: 'ask', medium: 'ask', high: 'block', critical: 'block' }, rules: [] },
];

export const DEFAULT_PROFILE = 'assist';

/**
 * Judges a case. A forbidden action is blocked under every profile. Then the profile's rules decide, block before ask before
 * allow; then its verdict for the level of risk. Where the device's capability is left open, an allowed action is asked
 * about instead.
 */
export function judge(each: Case, profile: Profile): Judgement {
  if (each.assessment.forbidden !== undefined) return { verdict: 'block', rule: each.assessment.forbidden }; // guard A9-1
  const judgement = ruleJudgement(each, profile) ?? levelJudgement(each.assessment.risk.level, profile);
  const { capability } = each.assessment;
  const isUndeclared = capability !== null && each.capabilities[capability] === undefined;
  if (each.assessment.alwaysAsks === true && judgement.verdict === 'allow')
    return { verdict: 'ask', rule: 'It is about further actions, so the person is always asked.' };
  if (isOnSite(each.assessment) && judgement.verdict === 'allow')
    return { verdict: 'ask', rule: 'It acts on a site, so the person is asked, or gives access to the site.' };
  return isUndeclared && judgement.verdict === 'allow'
    ? { verdict: 'ask', rule: `The device did not say whether it has ${capability}, so the person is asked.` }
    : judgement;
}

/** Where a profile requires a plan, an action that would ask may not stand alone. */
export function outsidePlan(
  judged: Judgement,
  { name, requirePlan }: Profile,
  { isStep }: { isStep: boolean },
): Judgement {
  return judged.verdict === 'ask' && requirePlan === true && !isStep
    ? {
        verdict: 'block',
        rule: `The profile ${name} asks about plans only. Submit this as a step of a task, or run a procedure that the person approved.`,
      }
    : judged;
}

/** Why nobody can store a profile of this name, if so. */
export function heldName(name: string): string | undefined {
  return BUILT_IN_PROFILES.some((profile) => profile.name === name)
    ? `The profile ${name} is built in and stays as it is. Make one of another name.`
    : undefined;
}

/** Which site a page is of is known first when an action is judged, so no rule that was made before can be about it. */
function isOnSite({ onSite, risk }: Assessment): boolean {
  return onSite === true && risk.level !== 'low'; // guard N20-3
}

const STRICTNESS: readonly Verdict[] = ['allow', 'ask', 'block'];

/** The stricter of two judgements: naming a profile for one submission can narrow what it may, never widen it. */
export function stricter(assigned: Judgement, named: Judgement): Judgement {
  return STRICTNESS.indexOf(named.verdict) > STRICTNESS.indexOf(assigned.verdict) ? named : assigned;
}

/** The capability that the device refuses (`false`) and this action needs. */
export function refusedCapability(assessment: Assessment, capabilities: Capabilities): Capability | undefined {
  const { capability } = assessment;
  return capability !== null && capabilities[capability] === false ? capability : undefined;
}

function ruleJudgement(each: Case, profile: Profile): Judgement | undefined {
  const strictestFirst = STRICTNESS.toReversed().flatMap((verdict) =>
    profile.rules.filter((rule) => rule.verdict === verdict),
  );
  const rule = strictestFirst.find((candidate) => applies(candidate, each));
  return rule === undefined
    ? undefined
    : {
        verdict: rule.verdict,
        rule: `A rule of the profile ${profile.name} ${verb(rule.verdict)} ${sentenceOf(rule)}.`,
      };
}

function levelJudgement(level: RiskLevel, profile: Profile): Judgement {
  const verdict = profile.byLevel[level];
  const otherwise = profile.rules.length === 0 ? '' : ' that none of its rules is about';
  return { verdict, rule: `The profile ${profile.name} ${verb(verdict)} actions of ${level} risk${otherwise}.` };
}

function verb(verdict: Verdict): string {
  return { allow: 'allows', ask: 'asks about', block: 'blocks' }[verdict];
}

/** Everything the rule names must hold. */
function applies(rule: ProfileRule, each: Case): boolean {
  const { assessment, recent } = each;
  return (
    (rule.levels?.includes(assessment.risk.level) ?? true) &&
    (rule.effectClasses?.includes(each.effectClass) ?? true) &&
    (rule.actionTypes?.includes(each.actionType) ?? true) &&
    (rule.apps === undefined ||
      namesOf(rule, assessment).some((app) => rule.apps?.some((name) => isSameApp(name, app)))) &&
    (rule.paths === undefined ||
      assessment.paths.some((path) => rule.paths?.some((glob) => matchesGlob(path, glob)))) &&
    (rule.hours === undefined || isWithin(rule.hours, each.minuteOfDay)) &&
    (rule.morePerMinuteThan === undefined || recent.perMinute > rule.morePerMinuteThan) &&
    (rule.morePerHourThan === undefined || recent.perHour > rule.morePerHourThan)
  );
}

/** An app can hide behind another name, so only the name that the requester gave can allow it, and every name can forbid it. */
function namesOf({ verdict }: ProfileRule, { apps, alsoNamed = [] }: Assessment): readonly string[] {
  return verdict === 'allow' ? apps : [...apps, ...alsoNamed];
}

/** From the first minute up to, not including, the last; a span that ends before it begins goes over midnight. */
function isWithin({ from, to }: { from: string; to: string }, minuteOfDay: number): boolean {
  const [first, last] = [minutes(from), minutes(to)];
  return first <= last ? minuteOfDay >= first && minuteOfDay < last : minuteOfDay >= first || minuteOfDay < last;
}

/** Minutes since midnight. */
export function minutes(hour: string): number {
  const [hours = 0, rest = 0] = hour.split(':').map(Number);
  return hours * 60 + rest;
}

/** The subject of a rule in words: "actions of low risk, of the types Wait or OpenApp, between 22:00 and 06:00". */
function sentenceOf(rule: ProfileRule): string {
  const parts = [
    rule.levels && `of ${rule.levels.join(' or ')} risk`,
    rule.effectClasses && `that are ${rule.effectClasses.join(' or ')}`,
    rule.actionTypes && `of the types ${rule.actionTypes.join(' or ')}`,
    rule.apps && `on the apps ${rule.apps.join(' or ')}`,
    rule.paths && `on files that match ${rule.paths.join(' or ')}`,
    rule.hours && `between ${rule.hours.from} and ${rule.hours.to}`,
    rule.morePerMinuteThan !== undefined && `beyond ${rule.morePerMinuteThan} a minute`,
    rule.morePerHourThan !== undefined && `beyond ${rule.morePerHourThan} an hour`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? 'every action' : `actions ${parts.join(', ')}`;
}
