import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow, ScreenshotData } from '../../../src/contract/screen.ts';
import { judgedWindow } from '../../targets/judged-targets.ts';
import type { Driver } from '../driver.ts';
import type { Failed, Image, Outcome } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { createCoalesced } from './coalesce.ts';
import type { Drawing, Overlay } from './drawn-marks.ts';

export type CaptureWish = {
  parameters: TakeScreenshotParameters;
  /** The window as it was judged: no other one may be captured. */
  expected: ResolvedWindow | undefined;
};

/** What one desktop captured. */
export type Captured = {
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

export type Capture = (wish: CaptureWish, signal: AbortSignal) => Promise<Captured | Failed>;

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
