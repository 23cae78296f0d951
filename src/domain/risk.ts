import type { Risk, RiskLevel } from '../contract/action.ts';

const ORDER: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];

/** A rule that fired: the level it asks for, and why, as a sentence. */
export type RiskRule = { level: RiskLevel; reason: string };

/**
 * The highest level any rule asks for, with the sentences of the rules that ask for it. A sentence of a lower rule can be
 * false for the action: "shows no contents" holds only for a description without contents.
 */
export function assessRisk(base: RiskRule, fired: readonly RiskRule[] = []): Risk {
  const rules = [base, ...fired];
  const level = highestOf(rules.map((rule) => rule.level));
  return { level, reasons: rules.filter((rule) => rule.level === level).map((rule) => rule.reason) };
}

export function isAtLeast(level: RiskLevel, bound: RiskLevel): boolean {
  return ORDER.indexOf(level) >= ORDER.indexOf(bound);
}

/** One level up, with the sentence that says why; critical stays critical. */
export function raisedOneLevel({ level, reasons }: Risk, reason: string): Risk {
  return { level: ORDER[ORDER.indexOf(level) + 1] ?? level, reasons: [...reasons, reason] };
}

/** The highest of some; low for none. */
export function highestOf(levels: readonly RiskLevel[]): RiskLevel {
  return levels.reduce(higher, 'low');
}

function higher(one: RiskLevel, other: RiskLevel): RiskLevel {
  return isAtLeast(one, other) ? one : other;
}
