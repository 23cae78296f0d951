import { EVIDENCE_MANNER, type EvidencePlace } from '../../src/contract/link.ts';
import { isOneColour } from '../../src/contract/pictures.ts';
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
    const { evidence: place } = attempt;
    if (place === undefined) return perform(driver, parameters, attempt);
    const pictured = before(driver, place, attempt);
    const outcome = await perform(driver, parameters, { ...attempt, pictured });
    if (!outcome.ok && (outcome.isPrivate || outcome.code === 'invalid_target')) return outcome; // guard N10-3
    return { ...outcome, images: [...(outcome.images ?? []), ...(await pictured)] };
  };
}

async function before(driver: Driver, place: EvidencePlace, attempt: Attempt): Promise<readonly Image[]> {
  const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const taken = await picturePlace(driver, place, { signal, deadlineMs: PATIENCE_MS });
    return taken.ok ? (taken.images ?? []).map((image) => ({ ...image, role: 'before' })) : [];
  } catch {
    return [];
  }
}

/** The picture of a place, or of the window around it where the place has one colour. There is none where both have. */
export async function picturePlace(
  driver: Driver,
  { region, whole }: EvidencePlace,
  attempt: Attempt,
): Promise<Outcome<unknown>> {
  const near = await driver.takeScreenshot({ region, ...EVIDENCE_MANNER }, attempt);
  if (!near.ok || !(await isBlank(near.images))) return near;
  if (whole === undefined) return { ...near, images: [] };
  const wide = await driver.takeScreenshot({ region: whole, ...EVIDENCE_MANNER }, attempt);
  return wide.ok && (await isBlank(wide.images)) ? { ...wide, images: [] } : wide;
}

/** A picture that cannot be read counts as one that shows something. */
async function isBlank([image]: readonly Image[] = []): Promise<boolean> {
  if (image === undefined) return false;
  const { default: sharp } = await import('sharp');
  const pixels = await sharp(image.bytes)
    .ensureAlpha()
    .raw()
    .toBuffer()
    .catch(() => undefined);
  return pixels !== undefined && isOneColour(pixels);
}
