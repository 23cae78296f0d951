import { intersection, intersects } from '../../../src/contract/bounds.ts';
import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { DegradedReason, ScreenText } from '../../../src/contract/screen.ts';
import type { TextReader } from './ocr.ts';
import type { XWindow } from './x-window.ts';

export type WindowTextsRequest = {
  /** Every window, in front first. */
  windows: readonly XWindow[];
  /** Windows whose text is read from their pixels. */
  treeless: readonly XWindow[];
  displays: readonly Display[];
  signal: AbortSignal;
};

export type WindowTexts = {
  /** `unread`: the ids of the windows that could not be read. */
  read(
    request: WindowTextsRequest,
  ): Promise<{ text: ScreenText[]; unread: string[]; degradedReasons: DegradedReason[] }>;
};

/** A part of the screen as an image file, one pixel for each unit of the desktop; `null` when it cannot be had. */
export type CaptureRegion = (region: Bounds, signal: AbortSignal) => Promise<Uint8Array | null>;

const LEAST_SIDE = 16;

/** Reads the text of windows that tell nothing of themselves, of each only the part that is not covered by another. */
export function createWindowTexts({ capture, reader }: { capture: CaptureRegion; reader: TextReader }): WindowTexts {
  async function readWindow(window: XWindow, { windows, displays, signal }: WindowTextsRequest) {
    const lines: ScreenText[] = [];
    for (const area of visibleAreas(window.clientBounds, displays)) {
      const bytes = await capture(area, signal);
      if (bytes === null) return null;
      const hidden = inFrontOf(window, windows).map((other) => relativeTo(area, other.bounds));
      const found = await reader.read({ bytes, hidden }, signal);
      if (found === null) return null;
      lines.push(
        ...found.map(({ text, bounds, confidence }) => ({
          text,
          bounds: { ...bounds, x: bounds.x + area.x, y: bounds.y + area.y },
          confidence,
          windowId: window.id,
        })),
      );
    }
    return lines;
  }

  return {
    async read(request) {
      const text: ScreenText[] = [];
      const unread: XWindow[] = [];
      for (const window of request.treeless) {
        const lines = await readWindow(window, request);
        if (lines === null) unread.push(window);
        else text.push(...lines);
      }
      return { text, unread: unread.map(({ id }) => id), degradedReasons: unread.map(unreadReason) };
    },
  };
}

/** A window may stand on several displays, and partly on none. */
function visibleAreas(bounds: Bounds, displays: readonly Display[]): Bounds[] {
  return displays
    .flatMap((display) => intersection(bounds, display.bounds) ?? [])
    .filter(({ width, height }) => width >= LEAST_SIDE && height >= LEAST_SIDE);
}

function inFrontOf(window: XWindow, windows: readonly XWindow[]): XWindow[] {
  const before = windows.slice(
    0,
    windows.findIndex(({ id }) => id === window.id),
  );
  return before.filter((other) => other.shown && intersects(other.bounds, window.clientBounds));
}

function relativeTo(origin: Bounds, bounds: Bounds): Bounds {
  return { ...bounds, x: bounds.x - origin.x, y: bounds.y - origin.y };
}

function unreadReason({ title }: XWindow): DegradedReason {
  return {
    code: 'text_unread',
    message: `The text of the window “${title}” could not be read from the screen.`,
    fix: 'Ask again with more time; take a screenshot if it stays so.',
  };
}
