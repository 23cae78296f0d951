import { hash } from 'node:crypto';
import type { ProcedureSubmission } from '../../contract/procedure.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { Target } from '../../contract/targets.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Assessment } from '../catalogue/definition.ts';
import { filesIn, isWithin } from '../catalogue/file-target.ts';
import { isAtLeast } from '../risk.ts';

/** The procedure that a task runs, as far as its steps are judged by it. */
export type ProcedureOfTask = {
  name: string;
  digest: string;
  /** The person's approval; absent for a run that asks by itself. */
  grantId?: string | undefined;
  /** By when the run must be over. */
  untilMs: number;
  /** The steps that may do what otherwise asks in every run. */
  critical: readonly string[];
  /** The highest risk at which the approval lets each step through. */
  most: Readonly<Record<string, RiskLevel>>;
  /** The real folders in which paths that came as parameters must lie, by the path. */
  folders: Readonly<Record<string, readonly string[]>>;
};

type Now = { assessment: Assessment; targets: readonly Target[]; nowMs: number };

/**
 * Why a step of a procedure is not what the person approved, if so. `approved`: the risk of the step by its names alone, as the person was
 * shown it. A procedure is approved by names and bounds, so what each of them leads to is judged at its turn.
 */
export function stepFlaw(
  { untilMs, critical, folders }: ProcedureOfTask,
  { id, approved }: { id: string; approved: RiskLevel },
  { assessment, targets, nowMs }: Now,
): string | undefined {
  if (nowMs >= untilMs) return 'the run took longer than its procedure may';
  if (!isAtLeast(approved, assessment.risk.level)) return `the risk of the step ${id} is higher than by its names`; // guard N54-3
  if (assessment.alwaysAsks === true || assessment.isHidden === true) return `the step ${id} always asks`;
  if (asksAlways(assessment) && !critical.includes(id)) return `the step ${id} does what asks in every run`; // guard N54-2
  const isOutside = filesIn(targets).some(({ path, realPath }) => {
    const around = Object.hasOwn(folders, path) ? folders[path] : undefined;
    return around?.some((folder) => !isWithin(realPath, folder)) === true;
  });
  return isOutside ? `a path of the step ${id} leads out of the folder of its parameter` : undefined;
}

/** What no approval of a procedure allows but for a step that it names. An address outside of any access may carry what it sends. */
export function asksAlways({ risk, sensitive, done, script, access }: Assessment): boolean {
  const isRisky = isAtLeast(risk.level, 'high') || sensitive !== undefined || script !== undefined;
  return isRisky || done?.did === 'replaced' || (done?.did === 'visited' && access === undefined);
}

/**
 * SHA-256 over the canonical form (RFC 8785) of everything about a procedure that has an effect: steps, bounds, expectations, and what it
 * may do. Its name and description are outside of it.
 */
export function procedureDigest({ parameters, steps, may }: ProcedureSubmission): string {
  return `sha256:${hash('sha256', canonicalJson({ parameters, steps, may }))}`;
}
