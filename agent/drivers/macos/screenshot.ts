import type { Driver } from '../driver.ts';
import type { Failed } from '../outcome.ts';
import { encodeImage } from '../pictures/encode-image.ts';
import { createTakeScreenshot } from '../pictures/take-screenshot.ts';
import { type DesktopState, readDesktop, toDisplay } from './desktop-state.ts';
import { displayUnavailable } from './display-available.ts';
import { othersWindows, permissionMissing, screenRecording } from './permissions.ts';
import { isWithheld, type PictureSources, takePicture } from './picture.ts';
import { ALLOW_OSASCRIPT } from './run-script.ts';
import { shotOf } from './shot.ts';
import { changeIn, changeNow } from './window.ts';

export type ScreenshotSources = PictureSources & {
  /** Has the app listed where the permission is granted. */
  enrol(signal: AbortSignal): Promise<void>;
  /** Processes of Handrail: macOS always shows them their own windows, so those prove no permission. */
  ownPids: ReadonlySet<number>;
};

/** Screenshots by `screencapture`, after macOS was asked whether they may be taken. */
export function createMacScreenshot(sources: ScreenshotSources): Driver['takeScreenshot'] {
  return createTakeScreenshot(async ({ parameters, expected }, signal) => {
    const state = await readDesktop(sources.run, { parts: expected === undefined ? PARTS : PARTS_WITH_APPS, signal });
    if (!state.ok) return unchecked(state.message);
    const refusal = (await refuse(sources, state.data, signal)) ?? changeIn(state.data, expected);
    if (refusal !== null) return refusal;
    const found = shotOf(parameters, state.data);
    if (!found.ok) return found;
    const { bounds, what } = found.shot;
    const picture = await takePicture(sources, { shot: found.shot, signal });
    if (!picture.ok) return picture;
    const change = await changeNow(sources.run, { expected, signal });
    if (change !== null) return change;
    const displays = state.data.displays.map(toDisplay);
    const remark = picture.isBlack ? 'It is entirely black, as protected video is too.' : undefined;
    const { default: sharp } = await import('sharp');
    const pixels = sharp(picture.bytes);
    return { ok: true, bounds, what, displays, remark, encode: (drawn) => encodeImage(pixels, parameters, { drawn }) };
  });
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
    fix: ALLOW_OSASCRIPT,
    sideEffect: 'none',
  };
}
