import type { Prompt } from '../../contract/console.ts';
import type { Bounds } from '../../contract/device.ts';
import type { Target } from '../../contract/targets.ts';

/** As much as a person needs to know a place again. */
const CROP = { width: 480, height: 300 };
const MOST = 32_767;

/** The part of the screen around the controls of an action, with their outlines; nothing where no place is known. */
export function cropOf(targets: readonly Target[] = []): Pick<Prompt, 'crop'> {
  const places = targets.flatMap(placeOf);
  const outlines = places.flatMap(({ outline }) => outline ?? []);
  if (places.length === 0) return {};
  const [left, right] = spanOf(
    places.map(({ x }) => x),
    CROP.width,
  );
  const [top, bottom] = spanOf(
    places.map(({ y }) => y),
    CROP.height,
  );
  const region = { x: left, y: top, width: right - left, height: bottom - top };
  return region.width > MOST || region.height > MOST ? {} : { crop: { region, outlines } };
}

type Place = { x: number; y: number; outline?: Bounds };

/** The middle of a control, or the point in it: a control may be as wide as the screen. */
function placeOf(target: Target): Place[] {
  if (!('control' in target)) return [];
  const { bounds } = target.control;
  const outline = bounds === null ? {} : { outline: bounds };
  if (target.kind === 'point') return [{ ...target.at, ...outline }];
  return bounds === null ? [] : [{ x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2, ...outline }];
}

function spanOf(middles: readonly number[], length: number): [number, number] {
  const first = Math.round(Math.min(...middles) - length / 2);
  return [first, Math.max(first + length, Math.round(Math.max(...middles) + length / 2))];
}
