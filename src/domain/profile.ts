import type { Risk, RiskLevel, Verdict } from '../contract/action.ts';
import type { Capabilities, Capability } from '../contract/device.ts';
import type { Assessment } from './catalogue/definition.ts';

/** What a profile says to each level of risk. */
export type PermissionProfile = { name: string; byLevel: Record<RiskLevel, Verdict> };

export const ASSIST: PermissionProfile = {
  name: 'assist',
  byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' },
};

/** Allow, ask or block, and the rule that decided, as a sentence. */
export type Judgement = { verdict: Verdict; rule: string };

/** Judges an assessed action under a profile and the device's capabilities; the strictest rule wins. */
export function judge(options: {
  assessment: Assessment;
  profile: PermissionProfile;
  capabilities: Capabilities;
}): Judgement {
  const { assessment, profile, capabilities } = options;
  const byProfile = profileRule(profile, assessment.risk);
  if (assessment.forbidden !== undefined) return { verdict: 'block', rule: assessment.forbidden };
  if (byProfile.verdict === 'block') return byProfile;
  return undeclaredCapability(assessment.capability, capabilities) && byProfile.verdict === 'allow'
    ? {
        verdict: 'ask',
        rule: `The device did not say whether it has ${assessment.capability}, so the person is asked.`,
      }
    : byProfile;
}

/** The capability that the device refuses (`false`) and this action needs. */
export function refusedCapability(assessment: Assessment, capabilities: Capabilities): Capability | undefined {
  const { capability } = assessment;
  return capability !== null && capabilities[capability] === false ? capability : undefined;
}

function undeclaredCapability(capability: Capability | null, capabilities: Capabilities): boolean {
  return capability !== null && capabilities[capability] === undefined;
}

function profileRule(profile: PermissionProfile, risk: Risk): Judgement {
  const verdict = profile.byLevel[risk.level];
  const verb = { allow: 'allows', ask: 'asks about', block: 'blocks' }[verdict];
  return { verdict, rule: `The profile ${profile.name} ${verb} actions of ${risk.level} risk.` };
}
