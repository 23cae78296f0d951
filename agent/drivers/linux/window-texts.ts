import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, Worker } from 'tesseract.js';
import { intersection, intersects } from '../../../src/contract/bounds.ts';
import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { DegradedReason, ScreenText } from '../../../src/contract/screen.ts';
import type { XWindow } from './x-window.ts';

type WindowTextsRequest = {
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

/** One line of text; `bounds` in pixels of the image, `confidence` from 0 to 1. */
export type TextLine = { text: string; bounds: Bounds; confidence: number };

export type Picture = {
  /** An image file, such as a PNG. */
  bytes: Uint8Array;
  /** Parts of the image that are not to be read, in its pixels. */
  hidden: readonly Bounds[];
};

type TextReader = {
  /** The lines of text in a picture; `null` when it was stopped, or when the pictures cannot be read at all. */
  read(picture: Picture, signal: AbortSignal): Promise<TextLine[] | null>;
  close(): Promise<void>;
};

/** Fonts of terminals are a dozen pixels high; the recognition wants letters of twice that. */
const ENLARGEMENT = 2;
const LIKELY_TEXT = 0.3;

/**
 * Text recognition by tesseract, with its English data from node_modules: nothing is loaded from elsewhere. The worker is
 * started when first needed and kept until `close`, or until a reading is stopped, which it cannot be otherwise.
 */
export function createTextReader(): TextReader {
  let starting: Promise<Worker> | null = null;
  let closed = false;

  async function end(): Promise<void> {
    const ending = starting;
    starting = null;
    const worker = await ending?.catch(() => null);
    await worker?.terminate();
  }

  async function recognize(picture: Picture): Promise<TextLine[]> {
    starting ??= startWorker();
    const mine = starting;
    const [worker, image] = await Promise.all([mine, prepared(picture)]);
    // A worker that was ended meanwhile throws where no code can catch it.
    if (starting !== mine) throw new Error('The reading was stopped.');
    const { data } = await worker.recognize(image, {}, { text: false, blocks: true });
    return linesOf(data);
  }

  return {
    async read(picture, signal) {
      if (signal.aborted || closed) return null;
      const stopped = Promise.withResolvers<null>();
      const stop = () => {
        stopped.resolve(null);
        void end();
      };
      signal.addEventListener('abort', stop, { once: true });
      try {
        // A worker that failed cannot read the next picture either.
        const lines = recognize(picture).catch(() => end().then(() => null));
        return await Promise.race([lines, stopped.promise]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    close() {
      closed = true;
      return end();
    },
  };
}

async function startWorker(): Promise<Worker> {
  const { default: tesseract } = await import('tesseract.js');
  const data = dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng/package.json')));
  const worker = await tesseract.createWorker('eng', tesseract.OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0'),
    gzip: true,
    cacheMethod: 'none',
    // The rejection carries the same error; without this handler the package throws it where no code can catch it.
    errorHandler: () => undefined,
  });
  await worker.setParameters({ tessedit_pageseg_mode: tesseract.PSM.SINGLE_COLUMN });
  return worker;
}

/** Makes a picture grey and larger, with hidden areas painted over in its most frequent colour. */
async function prepared({ bytes, hidden }: Picture): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes).greyscale();
  const [{ width, height }, { channels }] = await Promise.all([image.metadata(), image.stats()]);
  const isDark = (channels[0]?.mean ?? 255) < 128;
  const background = isDark ? '#000000' : '#ffffff';
  const patches = hidden
    .map((part) => patch(clipped(part, { width, height }), background))
    .filter((one) => one !== null);
  const covered = await image.composite(patches).png().toBuffer();
  return sharp(covered)
    .resize({ width: width * ENLARGEMENT, kernel: 'lanczos3' })
    .png()
    .toBuffer();
}

function patch({ x, y, width, height }: Bounds, background: string) {
  if (width <= 0 || height <= 0) return null;
  return { input: { create: { width, height, channels: 3 as const, background } }, left: x, top: y };
}

function clipped(part: Bounds, { width, height }: { width: number; height: number }): Bounds {
  const x = Math.max(0, Math.floor(part.x));
  const y = Math.max(0, Math.floor(part.y));
  const right = Math.min(width, Math.ceil(part.x + part.width));
  const bottom = Math.min(height, Math.ceil(part.y + part.height));
  return { x, y, width: right - x, height: bottom - y };
}

function linesOf({ blocks }: Page): TextLine[] {
  const lines = (blocks ?? []).flatMap((block) => block.paragraphs).flatMap((paragraph) => paragraph.lines);
  return lines
    .map(({ text, confidence, bbox }) => ({
      text: text.trim(),
      confidence: Math.min(1, Math.max(0, confidence / 100)),
      bounds: {
        x: bbox.x0 / ENLARGEMENT,
        y: bbox.y0 / ENLARGEMENT,
        width: (bbox.x1 - bbox.x0) / ENLARGEMENT,
        height: (bbox.y1 - bbox.y0) / ENLARGEMENT,
      },
    }))
    .filter(isText);
}

/** Pictures are read as stray signs, which are dropped; a line that may be a word is kept even if doubtful. */
function isText({ text, confidence }: TextLine): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? [];
  return text !== '' && (confidence >= LIKELY_TEXT || letters.length >= 3);
}

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
