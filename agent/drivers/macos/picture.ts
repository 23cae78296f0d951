import type { Failed } from '../outcome.ts';
import { unlessStopped } from '../stopping.ts';
import { type Captured, type CaptureTarget, capture } from './capture.ts';
import { unavailable } from './display-available.ts';
import { permissionMissing } from './permissions.ts';
import type { RunProgram } from './run-script.ts';
import type { Shot } from './shot.ts';

export type Picture = { ok: true; bytes: Uint8Array; isBlack: boolean };

export type PictureSources = {
  run: RunProgram;
  /** A picture of the main display, by other means than ours. */
  portableCapture(): Promise<Uint8Array>;
};

/** The message of screencapture when macOS does not let it see, mostly because the permission is missing. */
const REFUSED = /could not create image from (display|rect)/;
/** A window, unlike a display, is mostly gone. */
const WINDOW_GONE = /could not create image from window/;

/** How dark the brightest dot of a frame made small may be for the frame to count as black; of 255. */
const BLACK_UP_TO = 3;
const PROBE_WIDTH = 240;

/** Captures the shot and makes sure that it shows what was asked for: the right display, and not a black frame. */
export async function takePicture(
  sources: PictureSources,
  { shot, signal }: { shot: Shot; signal: AbortSignal },
): Promise<Picture | Failed> {
  const captured = await captureShot(sources, shot, signal);
  if (!captured.ok) return notCaptured(shot, captured.message);
  const bytes = captured.result;
  const isBlack = await isBlackFrame(bytes);
  if (isBlack && !(await showsAnything(sources.run, { shot, signal }))) {
    return unavailable(
      `macOS captured ${shot.what} as entirely black: the display sleeps, is locked, or shows protected content only.`,
      'Wake and unlock the Mac, and try again.',
    );
  }
  return { ok: true, bytes, isBlack };
}

async function captureShot(
  { run, portableCapture }: PictureSources,
  shot: Shot,
  signal: AbortSignal,
): Promise<Captured<Uint8Array>> {
  const first = await capture(run, shot.target, signal);
  const { target, bounds } = shot;
  if (first.ok || target.kind !== 'display' || signal.aborted) return first;
  // Just after another capture macOS may refuse one way of asking without a reason; only the second refusal counts.
  const second = await capture(run, { kind: 'region', bounds }, signal);
  if (second.ok || REFUSED.test(second.message) || signal.aborted) return second;
  return portable(portableCapture, signal).catch(() => second);
}

/** Left alone when the attempt is stopped: it cannot be ended, only no longer waited for. */
async function portable(
  portableCapture: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Captured<Uint8Array>> {
  const result = await unlessStopped(portableCapture(), signal);
  return result === 'stopped' ? { ok: false, message: 'it was stopped' } : { ok: true, result };
}

function notCaptured({ what }: Shot, message: string): Failed {
  if (WINDOW_GONE.test(message)) {
    return {
      ok: false,
      code: 'target_gone',
      message: `macOS could not capture ${what}: ${message}. It may have been closed.`,
      fix: 'Describe the screen: it names the windows that are there now.',
      sideEffect: 'none',
    };
  }
  if (REFUSED.test(message)) {
    const missing = permissionMissing('screenRecording', { stale: true });
    return { ...missing, message: `macOS refused to capture ${what} (${message}). ${missing.message}` };
  }
  return {
    ok: false,
    code: 'internal_error',
    message: `${what} could not be captured: ${message}`,
    sideEffect: 'none',
  };
}

/** Whether macOS withholds the contents of a window of another app. It then gives no picture, or an empty one. */
export async function isWithheld(
  run: RunProgram,
  { windowId, signal }: { windowId: string; signal: AbortSignal },
): Promise<boolean> {
  const captured = await capture(run, { kind: 'window', id: windowId }, signal);
  return !captured.ok || (await isBlackFrame(captured.result));
}

/** A black window or region may be just that; it is when the display it is on shows something elsewhere. */
async function showsAnything(run: RunProgram, { shot, signal }: { shot: Shot; signal: AbortSignal }): Promise<boolean> {
  if (shot.display === undefined || shot.bounds === shot.display.bounds) return false;
  const target: CaptureTarget = { kind: 'region', bounds: shot.display.bounds };
  const whole = await capture(run, target, signal);
  return whole.ok && !(await isBlackFrame(whole.result));
}

/** True for a frame without content too: transparent pixels have no colour either. */
async function isBlackFrame(bytes: Uint8Array): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  // Making it small first averages, so that a single bright line still shows.
  const small = sharp(bytes).resize({ width: PROBE_WIDTH, kernel: 'linear' }).flatten({ background: '#000000' });
  return (await small.raw().toBuffer()).every((value) => value <= BLACK_UP_TO);
}
