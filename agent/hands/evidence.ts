import type { TakeScreenshotParameters } from '../../src/contract/parameters.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Image, Outcome } from '../drivers/outcome.ts';

type Perform<Parameters> = (driver: Driver, parameters: Parameters, attempt: Attempt) => Promise<Outcome<unknown>>;
type Role = NonNullable<Image['role']>;

/** A picture that takes longer is not worth waiting for. */
const PATIENCE_MS = 400;
const MANNER = { format: 'jpeg', quality: 60 } as const satisfies TakeScreenshotParameters;

/**
 * Takes two pictures of the place of an input for the person: before its effect and after it. An input waits for the first one
 * before its last look at the target, so nothing comes between look and effect. A picture that fails is left out.
 */
export function withEvidence<Parameters>(perform: Perform<Parameters>): Perform<Parameters> {
  return async (driver, parameters, attempt) => {
    const { evidence: region } = attempt;
    if (region === undefined) return perform(driver, parameters, attempt);
    const pictured = pictureOf(driver, { region, attempt, role: 'before' });
    const outcome = await perform(driver, parameters, { ...attempt, pictured });
    if (!outcome.ok) return outcome;
    const before = await pictured;
    const after = await pictureOf(driver, { region, attempt, role: 'after' });
    return { ...outcome, images: [...(outcome.images ?? []), ...before, ...after] };
  };
}

type Wish = { region: NonNullable<Attempt['evidence']>; attempt: Attempt; role: Role };

async function pictureOf(driver: Driver, { region, attempt, role }: Wish): Promise<readonly Image[]> {
  const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const taken = await driver.takeScreenshot({ region, ...MANNER }, { signal, deadlineMs: PATIENCE_MS });
    return taken.ok ? (taken.images ?? []).map((image) => ({ ...image, role })) : [];
  } catch {
    return [];
  }
}
