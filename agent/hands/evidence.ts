import { EVIDENCE_MANNER } from '../../src/contract/evidence.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Image, Outcome } from '../drivers/outcome.ts';

type Perform<Parameters> = (driver: Driver, parameters: Parameters, attempt: Attempt) => Promise<Outcome<unknown>>;

/** A picture that takes longer is not worth waiting for. */
const PATIENCE_MS = 400;

/**
 * Takes a picture of the place of an input for the person, before its effect. An input waits for it before its last look at the
 * target, so nothing comes between look and effect. A picture that fails is left out. A failed input has its picture too: it shows
 * what the input met. None is kept of a password field or of Handrail itself, which drivers refuse as `invalid_target`.
 */
export function withEvidence<Parameters>(perform: Perform<Parameters>): Perform<Parameters> {
  return async (driver, parameters, attempt) => {
    const { evidence: region } = attempt;
    if (region === undefined) return perform(driver, parameters, attempt);
    const pictured = before(driver, region, attempt);
    const outcome = await perform(driver, parameters, { ...attempt, pictured });
    if (!outcome.ok && (outcome.isPrivate || outcome.code === 'invalid_target')) return outcome;
    return { ...outcome, images: [...(outcome.images ?? []), ...(await pictured)] };
  };
}

async function before(
  driver: Driver,
  region: NonNullable<Attempt['evidence']>,
  attempt: Attempt,
): Promise<readonly Image[]> {
  const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const taken = await driver.takeScreenshot({ region, ...EVIDENCE_MANNER }, { signal, deadlineMs: PATIENCE_MS });
    return taken.ok ? (taken.images ?? []).map((image) => ({ ...image, role: 'before' })) : [];
  } catch {
    return [];
  }
}
