import type { Prompt } from '../../contract/console.ts';
import type { Bounds, Display } from '../../contract/device.ts';
import type { Target } from '../../contract/targets.ts';

/** As much as a person needs to know a place again. */
const CROP = { width: 480, height: 300 };
const MOST = 32_767;

/** The part of the screen around the controls of an action, with their outlines; nothing where no place is known. */
export function cropOf(targets: readonly Target[] = [], displays: readonly Display[] = []): Pick<Prompt, 'crop'> {
  const places = targets.flatMap(placeOf);
  if (places.length === 0) return {};
  const bounds = displays.map((display) => display.bounds);
  const horizontal = spanOf(
    places.map(({ x }) => x),
    CROP.width,
    bounds.map(({ x, width }) => [x, x + width]),
  );
  const vertical = spanOf(
    places.map(({ y }) => y),
    CROP.height,
    bounds.map(({ y, height }) => [y, y + height]),
  );
  if (horizontal.length > MOST || vertical.length > MOST) return {};
  const region = { x: horizontal.from, y: vertical.from, width: horizontal.length, height: vertical.length };
  return {
    crop: {
      region,
      outlines: places.flatMap(({ outline }) => outline ?? []),
      points: places.flatMap(({ point }) => point ?? []),
    },
  };
}

type Place = { x: number; y: number; outline?: Bounds; point?: { x: number; y: number } };

/** The middle of a control, or the point in it: a control may be as wide as the screen. */
function placeOf(target: Target): Place[] {
  if (!('control' in target)) return [];
  const { bounds } = target.control;
  const outline = bounds === null ? {} : { outline: bounds };
  if (target.kind === 'point') return [{ ...target.at, point: target.at, ...outline }];
  return bounds === null ? [] : [{ x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2, ...outline }];
}

/** As long as is usual or as the places need, and within the displays: nothing can be captured beyond them. */
function spanOf(middles: readonly number[], usual: number, displays: readonly (readonly [number, number])[]) {
  const from = Math.round(Math.min(...middles) - usual / 2);
  const to = Math.max(from + usual, Math.round(Math.max(...middles) + usual / 2));
  if (displays.length === 0) return { from, length: to - from };
  const first = Math.min(...displays.map(([start]) => start));
  const last = Math.max(...displays.map(([, end]) => end));
  const length = Math.min(to - from, last - first);
  return { from: Math.max(first, Math.min(from, last - length)), length };
}
