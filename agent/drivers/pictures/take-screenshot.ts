import { around, intersection, isSameBounds } from '../../../src/contract/bounds.ts';
import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow, ScreenshotData } from '../../../src/contract/screen.ts';
import { judgedWindow } from '../../targets/judged-targets.ts';
import type { Driver } from '../driver.ts';
import type { Failed, Image, Outcome } from '../outcome.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import type { Drawing, Overlay } from './drawn-marks.ts';

type CaptureWish = {
  parameters: TakeScreenshotParameters;
  /** The window as it was judged: no other one may be captured. */
  expected: ResolvedWindow | undefined;
};

/** What one desktop captured. */
type Captured = {
  ok: true;
  bounds: Bounds;
  /** In words. */
  what: string;
  displays: readonly Display[];
  /** A sentence for the person. */
  remark?: string | undefined;
  /** Called once. The drawing goes over the picture; it gets the width of the encoded picture, in pixels. */
  encode(drawn: ((width: number) => Drawing) | undefined): Promise<{ ok: true; image: Image } | Failed>;
};

type Capture = (wish: CaptureWish, signal: AbortSignal) => Promise<Captured | Failed>;

/** Work that callers who ask for the same thing at the same time share. */
type Coalesced<Result> = (
  request: { key: string; signal: AbortSignal },
  start: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result | 'stopped'>;

type Shared<Result> = { result: Promise<Result>; waiting: number; abort: AbortController };

/**
 * Runs `start` once for all requests with the same key that arrive while it runs. A caller whose signal is aborted gets
 * `stopped` at once; the work is aborted when the last caller has stopped.
 */
export function createCoalesced<Result>(): Coalesced<Result> {
  const running = new Map<string, Shared<Result>>();

  function begin(key: string, start: (signal: AbortSignal) => Promise<Result>): Shared<Result> {
    const abort = new AbortController();
    const forget = () => {
      if (running.get(key)?.abort === abort) running.delete(key);
    };
    const shared = { result: start(abort.signal).finally(forget), waiting: 0, abort };
    running.set(key, shared);
    return shared;
  }

  return async ({ key, signal }, start) => {
    if (signal.aborted) return 'stopped';
    const shared = running.get(key) ?? begin(key, start);
    shared.waiting += 1;
    const outcome = await unlessStopped(shared.result, signal);
    shared.waiting -= 1;
    if (outcome === 'stopped' && shared.waiting === 0) {
      running.delete(key);
      shared.abort.abort(signal.reason);
      await shared.result.catch(() => undefined);
    }
    return outcome;
  };
}

/** Screenshots of one desktop; equal ones that are asked for at one time share a capture. */
export function createTakeScreenshot(capture: Capture): Driver['takeScreenshot'] {
  const coalesced = createCoalesced<Outcome<ScreenshotData>>();
  return async (parameters, attempt, overlay) => {
    const signal = withinDeadline(attempt);
    const wish = { parameters, expected: judgedWindow(attempt, parameters.windowId) };
    const work = async (shared: AbortSignal) => pictureOf(await capture(wish, shared), overlay);
    // Marks belong to one request alone.
    if (overlay !== undefined) return work(signal);
    const key = JSON.stringify([Object.entries(parameters).sort(), wish.expected]);
    const outcome = await coalesced({ key, signal }, work);
    return outcome === 'stopped' ? stoppedFailure(signal, 'none') : outcome;
  };
}

async function pictureOf(captured: Captured | Failed, overlay: Overlay | undefined): Promise<Outcome<ScreenshotData>> {
  if (!captured.ok) return captured;
  const { bounds, what, displays, remark, encode } = captured;
  const encoded = await encode(overlay && ((width) => overlay(bounds, width / bounds.width)));
  if (!encoded.ok) return encoded;
  const { width, height, mediaType } = encoded.image;
  const format = mediaType.slice('image/'.length);
  const details = `Captured ${what}: ${width} × ${height} pixels, ${format}.`;
  return {
    ok: true,
    details: remark === undefined ? details : `${details} ${remark}`,
    effect: 'none',
    data: { width, height, format, scale: width / bounds.width, bounds, displays: [...displays] },
    images: [encoded.image],
  };
}

/** An area of the desktop, in words too. `display` shows most of it. */
type NamedArea<Known> = { ok: true; bounds: Bounds; what: string; display: Known };

/** The region that the parameters name, or else the display: the primary one unless another is named. */
export function namedArea<Known extends Display>(
  { display, region, windowId }: TakeScreenshotParameters,
  displays: readonly Known[],
): NamedArea<Known> | Failed {
  const wanted = displays.find((one) => (display === undefined ? one.primary : one.id === display));
  if (wanted === undefined) return noSuchDisplay(display, displays);
  if (windowId === undefined && region !== undefined)
    return regionArea(region, display === undefined ? displays : [wanted]);
  return { ok: true, bounds: wanted.bounds, what: `the display ${wanted.name}`, display: wanted };
}

/** A region may lie across displays, and over places between them that no display shows and that come out black. */
function regionArea<Known extends Display>(region: Bounds, displays: readonly Known[]): NamedArea<Known> | Failed {
  const display = displayUnder(region, displays);
  if (display !== undefined && isSameBounds(intersection(region, around(displays)), region))
    return { ok: true, bounds: region, what: `the region ${shownArea(region)}`, display };
  const known = displays.map((one) => `${one.name} is ${shownArea(one.bounds)}`).join(', ');
  const message = `The region ${shownArea(region)} is not on the screen: ${known}.`;
  return { ok: false, code: 'coordinates_off_screen', message, sideEffect: 'none' };
}

/** The display that shows most of an area, if any does. */
export function displayUnder<Known extends Display>(bounds: Bounds, displays: readonly Known[]): Known | undefined {
  const shares = displays.flatMap((display) => {
    const shared = intersection(bounds, display.bounds);
    return shared === null ? [] : [{ display, area: shared.width * shared.height }];
  });
  return shares.sort((one, other) => other.area - one.area)[0]?.display;
}

/** A window in words. */
export function namedWindow(app: string, title: string | null): string {
  return title ? `the window “${title}” of ${app}` : `a window of ${app}`;
}

export function shownArea({ x, y, width, height }: Bounds): string {
  return `${width}×${height} at ${x},${y}`;
}

function noSuchDisplay(display: string | undefined, displays: readonly Display[]): Failed {
  const known = displays.map(({ id, name }) => (id === name ? id : `${id} (${name})`)).join(', ');
  const message = `Expected the id of a display, got ${JSON.stringify(display)}. There are: ${known}.`;
  return { ok: false, code: 'invalid_target', message, sideEffect: 'none' };
}
