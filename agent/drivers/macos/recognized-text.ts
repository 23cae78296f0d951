import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Bounds } from '../../../src/contract/device.ts';
import type { DegradedReason, ScreenText } from '../../../src/contract/screen.ts';
import { withCapture } from './capture.ts';
import type { MacWindow } from './desktop-state.ts';
import { type RunProgram, runScript } from './run-script.ts';

const Answer = Type.Object({
  lines: Type.Array(
    Type.Object({ text: Type.String(), confidence: Type.Number(), /** In fractions of the picture. */ box: Bounds }),
  ),
});
const answerShape = Compile(Answer);
type Line = Static<typeof Answer>['lines'][number];

/** `unread`: the ids of the windows that were not read. */
export type RecognizedText = { text: ScreenText[]; unread: string[]; degradedReasons: DegradedReason[] };

const MAX_WINDOWS = 4;
const SMALLEST_SIDE = 40;
const SCRIPT_TIMEOUT_MS = 10_000;

/** Reads windows whose app tells nothing, from pictures of them, in front first; each takes about a second of computing. */
export async function recognizeText(
  run: RunProgram,
  { windows, signal }: { windows: readonly MacWindow[]; signal: AbortSignal },
): Promise<RecognizedText> {
  const readable = windows.filter(({ bounds }) => bounds.width >= SMALLEST_SIDE && bounds.height >= SMALLEST_SIDE);
  const answers = await Promise.all(readable.slice(0, MAX_WINDOWS).map((window) => readWindow(run, window, signal)));
  const left = readable.slice(MAX_WINDOWS);
  const unread = new Set(windows.map(({ id }) => id));
  for (const { readId } of answers) if (readId !== undefined) unread.delete(readId);
  return {
    unread: [...unread],
    text: answers.flatMap((answer) => answer.text),
    degradedReasons: [
      ...answers.flatMap((answer) => answer.degradedReasons),
      ...(left.length > 0 ? [notRead(left)] : []),
    ],
  };
}

type ReadWindow = { text: ScreenText[]; readId?: string; degradedReasons: DegradedReason[] };

async function readWindow(run: RunProgram, window: MacWindow, signal: AbortSignal): Promise<ReadWindow> {
  const captured = await withCapture(run, { target: { kind: 'window', id: window.id }, signal }, (path) =>
    runScript(run, {
      script: 'recognize-text',
      request: { path },
      answer: answerShape,
      timeoutMs: SCRIPT_TIMEOUT_MS,
      signal,
    }),
  );
  if (!captured.ok) return { text: [], degradedReasons: [failed(window, captured.message)] };
  if (!captured.result.ok) return { text: [], degradedReasons: [failed(window, captured.result.message)] };
  const text = captured.result.data.lines.map((line) => placed(line, window));
  return { text, readId: window.id, degradedReasons: [] };
}

function placed({ text, confidence, box }: Line, { id, bounds }: MacWindow): ScreenText {
  return {
    text,
    confidence: Math.min(1, Math.max(0, confidence)),
    bounds: {
      x: bounds.x + box.x * bounds.width,
      y: bounds.y + box.y * bounds.height,
      width: box.width * bounds.width,
      height: box.height * bounds.height,
    },
    windowId: id,
  };
}

function failed({ app }: MacWindow, why: string): DegradedReason {
  return {
    code: 'text_unread',
    message: `The text in a window of ${app} could not be read: ${why}`,
    fix: 'Bring the window to the front and ask again.',
  };
}

function notRead(windows: readonly MacWindow[]): DegradedReason {
  const names = [...new Set(windows.map(({ app }) => app))].join(', ');
  return {
    code: 'text_unread',
    message: `Text is read from ${MAX_WINDOWS} windows at most; further ones of ${names} were not read.`,
    fix: 'Bring the window of interest to the front and ask again.',
  };
}
