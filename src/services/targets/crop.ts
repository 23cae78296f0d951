import type { Prompt } from '../../contract/console.ts';
import type { Bounds, Display } from '../../contract/device.ts';
import type { ControlTarget, Target } from '../../contract/targets.ts';

/** The size of the part of the screen that a prompt shows, in pixels: enough for a person to recognise the place. */
const CROP = { width: 640, height: 260 };
const MOST = 32_767;

/**
 * The part of the screen around the controls of an action, with their outlines; nothing where no place is known. Of an element that
 * does not fit into it, the part is the whole window.
 */
export function cropOf(targets: readonly Target[] = [], displays: readonly Display[] = []): Pick<Prompt, 'crop'> {
  const controls = targets.filter((target): target is ControlTarget => 'control' in target);
  const places = controls.flatMap(placeOf);
  const around = spanned(
    places.map(({ x, y }) => ({
      x: x - CROP.width / 2,
      y: y - CROP.height / 2,
      ...CROP,
    })),
    displays,
  );
  if (around === undefined) return {};
  const windows = controls.flatMap(({ control: { windowBounds } }) => windowBounds ?? []);
  const whole = windows.length === controls.length ? spanned(windows, displays) : undefined;
  const near = whole === undefined ? around : movedInto(around, whole);
  const drawn = {
    outlines: places.flatMap(({ outline }) => outline ?? []),
    points: places.flatMap(({ point }) => point ?? []),
  };
  if (whole === undefined || isWithin(whole, near)) return { crop: { region: near, ...drawn } };
  if (controls.some(isLarge)) return { crop: { region: whole, ...drawn } };
  return { crop: { region: near, ...drawn, whole } };
}

type Place = { x: number; y: number; outline?: Bounds; point?: { x: number; y: number } };

/** The middle of a control, or the point in it: a control may be as wide as the screen. */
function placeOf(target: ControlTarget): Place[] {
  const { bounds } = target.control;
  const outline = bounds === null ? {} : { outline: bounds };
  if (target.kind === 'point') return [{ ...target.at, point: target.at, ...outline }];
  return bounds === null ? [] : [{ x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2, ...outline }];
}

/** A point has its surroundings however large the control is. */
function isLarge({ kind, control: { bounds } }: ControlTarget): boolean {
  return kind !== 'point' && bounds !== null && (bounds.width > CROP.width || bounds.height > CROP.height);
}

/** Moves the part so that it lies inside the window, along each side that fits. The person learns nothing from what lies beside the window. */
function movedInto({ x, y, width, height }: Bounds, window: Bounds): Bounds {
  const at = (from: number, length: number, [start, size]: readonly [number, number]) =>
    length > size ? from : Math.max(start, Math.min(from, start + size - length));
  return {
    x: at(x, width, [window.x, window.width]),
    y: at(y, height, [window.y, window.height]),
    width,
    height,
  };
}

function isWithin(inner: Bounds, outer: Bounds): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** The part of the screen that holds all of these, within the displays: nothing can be captured beyond them. */
function spanned(parts: readonly Bounds[], displays: readonly Display[]): Bounds | undefined {
  if (parts.length === 0) return undefined;
  const bounds = displays.map((display) => display.bounds);
  const horizontal = spanOf(
    parts.map(({ x, width }) => [x, x + width]),
    bounds.map(({ x, width }) => [x, x + width]),
  );
  const vertical = spanOf(
    parts.map(({ y, height }) => [y, y + height]),
    bounds.map(({ y, height }) => [y, y + height]),
  );
  if (horizontal.length > MOST || vertical.length > MOST) return undefined;
  return { x: horizontal.from, y: vertical.from, width: horizontal.length, height: vertical.length };
}

type Side = readonly [start: number, end: number];

/** Moved into the displays, and only as long as these. */
function spanOf(parts: readonly Side[], displays: readonly Side[]) {
  const from = Math.round(Math.min(...parts.map(([start]) => start)));
  const length = Math.round(Math.max(...parts.map(([, end]) => end))) - from;
  if (displays.length === 0) return { from, length };
  const first = Math.min(...displays.map(([start]) => start));
  const last = Math.max(...displays.map(([, end]) => end));
  const within = Math.min(length, last - first);
  return { from: Math.max(first, Math.min(from, last - within)), length: within };
}
