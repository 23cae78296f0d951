import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow, ScreenshotData } from '../../../src/contract/screen.ts';
import { judgedWindow } from '../../targets/judged-targets.ts';
import { createCoalesced } from '../coalesce.ts';
import type { Overlay } from '../drawn-marks.ts';
import type { Driver } from '../driver.ts';
import { encodeImage } from '../encode-image.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { type DesktopState, readDesktop, toDisplay } from './desktop-state.ts';
import { displayUnavailable } from './display-available.ts';
import { othersWindows, permissionMissing, screenRecording } from './permissions.ts';
import { isWithheld, type Picture, type PictureSources, takePicture } from './picture.ts';
import { type Shot, shotOf } from './shot.ts';
import { changeIn, changeNow } from './window.ts';

export type ScreenshotSources = PictureSources & {
  /** Has the app listed where the permission is granted. */
  enrol(signal: AbortSignal): Promise<void>;
  /** Processes of Handrail: macOS always shows them their own windows, so those prove no permission. */
  ownPids: ReadonlySet<number>;
};

/** Screenshots by `screencapture`, after macOS was asked whether they may be taken; equal ones at one time share a capture. */
export function createTakeScreenshot(sources: ScreenshotSources): Driver['takeScreenshot'] {
  const coalesced = createCoalesced<Outcome<ScreenshotData>>();
  return async (parameters, attempt, overlay) => {
    const signal = withinDeadline(attempt);
    const expected = judgedWindow(attempt, parameters.windowId);
    const work = (shared: AbortSignal) => takeScreenshot(sources, { parameters, expected, overlay }, shared);
    // Marks belong to one request alone.
    if (overlay !== undefined) return work(signal);
    const key = JSON.stringify([Object.entries(parameters).sort(), expected]);
    const outcome = await coalesced({ key, signal }, work);
    return outcome === 'stopped' ? stoppedFailure(signal, 'none') : outcome;
  };
}

type Wish = {
  parameters: TakeScreenshotParameters;
  expected: ResolvedWindow | undefined;
  overlay: Overlay | undefined;
};

async function takeScreenshot(
  sources: ScreenshotSources,
  { parameters, expected, overlay }: Wish,
  signal: AbortSignal,
): Promise<Outcome<ScreenshotData>> {
  const state = await readDesktop(sources.run, { parts: expected === undefined ? PARTS : PARTS_WITH_APPS, signal });
  if (!state.ok) return unchecked(state.message);
  const refusal = (await refuse(sources, state.data, signal)) ?? changeIn(state.data, expected);
  if (refusal !== null) return refusal;
  const found = shotOf(parameters, state.data);
  if (!found.ok) return found;
  const picture = await takePicture(sources, { shot: found.shot, signal });
  if (!picture.ok) return picture;
  const change = await changeNow(sources.run, { expected, signal });
  return change ?? finish(picture, { parameters, overlay, shot: found.shot, state: state.data });
}

const PARTS = ['displays', 'windows', 'session', 'permissions'] as const;
const PARTS_WITH_APPS = [...PARTS, 'apps'] as const;

/** macOS hands out the bare wallpaper, or black, where it may not or cannot show more, and reports success. */
async function refuse(
  { run, ownPids, enrol }: ScreenshotSources,
  state: DesktopState,
  signal: AbortSignal,
): Promise<Failed | null> {
  const blind = displayUnavailable(state, { whenLocked: 'refuse' });
  if (blind !== null) return blind;
  const permission = screenRecording(state, ownPids);
  if (permission === 'granted') return null;
  const [window] = othersWindows(state.windows, ownPids);
  if (permission === 'doubtful' && window && !(await isWithheld(run, { windowId: window.id, signal }))) return null;
  if (permission === 'denied') await enrol(signal);
  return permissionMissing('screenRecording', { stale: permission !== 'denied' });
}

function unchecked(why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `No screenshot was taken, as it could not be checked whether macOS would show more than the wallpaper: ${why}`,
    fix: 'Let Handrail run /usr/bin/osascript; on a managed Mac an administrator may have blocked it.',
    sideEffect: 'none',
  };
}

async function finish(
  { bytes, isBlack }: Picture,
  { parameters, overlay, shot, state }: Omit<Wish, 'expected'> & { shot: Shot; state: DesktopState },
): Promise<Outcome<ScreenshotData>> {
  const { default: sharp } = await import('sharp');
  const drawn = overlay && ((width: number) => overlay(shot.bounds, width / shot.bounds.width));
  const encoded = await encodeImage(sharp(bytes), parameters, { drawn });
  if (!encoded.ok) return encoded;
  const { width, height, mediaType } = encoded.image;
  const format = mediaType.slice('image/'.length);
  const remark = isBlack ? ' It is entirely black, as protected video is too.' : '';
  return {
    ok: true,
    details: `Captured ${shot.what}: ${width} × ${height} pixels, ${format}.${remark}`,
    effect: 'none',
    data: {
      width,
      height,
      format,
      scale: width / shot.bounds.width,
      bounds: shot.bounds,
      displays: state.displays.map(toDisplay),
    },
    images: [encoded.image],
  };
}
