import type { Composite, Geometry, PixelImage, Shape } from 'x11';
import { intersection } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { RawPicture } from './raw-picture.ts';
import { onlyParts, shapeOf } from './window-shape.ts';
import { childrenAbove, coveredParts, readStack, type Stack, topLevelOf } from './window-stack.ts';
import type { XLine } from './x-line.ts';

/**
 * `no_composite`: other windows cover it, and the server cannot keep them apart.
 * `unsteady`: the windows in front of it do not stand still.
 */
export type WindowPixels =
  | { ok: true; picture: RawPicture; bounds: Bounds }
  | { ok: false; reason: 'gone' | 'no_composite' | 'unsteady' | 'colours' };

type Refused = Extract<WindowPixels, { ok: false }>;
type Read = { picture: RawPicture };

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const AUTOMATIC = 0;
const BYTES_PER_PIXEL = 4;
const TRUE_COLOUR_DEPTHS = [24, 32];
const ORIGIN = { x: 0, y: 0 };
/** How often it looks again when windows move meanwhile. */
const TRIES = 5;
/** Nearly black: an app that draws black still draws something else. */
const BLANK = 0x010101;
const LOOK_EVERY_MS = 40;
/** How long an app may take to draw what was covered. */
const DRAWING_MS = 1_000;
/** A window that has not changed for so long is drawn. */
const STILL_MS = 120;

/** Reads a window's own pixels. A picture never holds pixels of the windows that cover it. */
export function createWindowReader(line: XLine): (window: number, area: Bounds) => Promise<WindowPixels> {
  const { ask, root } = line;
  const composite = once(() => ask<Composite>((client, reply) => client.require('composite', reply)));
  const shape = once(() => ask<Shape>((client, reply) => client.require('shape', reply)));
  let last: Promise<unknown> = Promise.resolve();

  async function read(window: number, area: Bounds): Promise<WindowPixels> {
    const top = await topLevelOf(ask, root, window);
    const inside = top === null ? null : await ask<Geometry>((client, reply) => client.GetGeometry(top, reply));
    const bounds = inside === null ? null : intersection(area, outerBounds(inside));
    if (top === null || inside === null || bounds === null) return refused('gone');
    const target = { line, top, bounds, composite: await composite() };
    const found = (await readRedirected(target)) ?? (await readUnredirected(target));
    if ('reason' in found) return found;
    const parts = await shapeOf(ask, await shape(), top);
    const { xPos, yPos, borderWidth } = inside;
    const corner = { left: bounds.x - xPos - borderWidth, top: bounds.y - yPos - borderWidth };
    const picture = parts === null ? found.picture : onlyParts(found.picture, parts, corner);
    return { ok: true, picture, bounds };
  }

  // One at a time: while one reads, its window is drawn elsewhere.
  return (window, area) => {
    const mine = last.then(() => read(window, area));
    last = mine.catch(() => undefined);
    return mine;
  };
}

type Target = { line: XLine; top: number; bounds: Bounds; composite: Composite | null };

/** Where a compositor runs, the server keeps the window's pixels apart already. */
async function readRedirected({ line, top, bounds, composite }: Target): Promise<Read | Refused | null> {
  if (composite === null) return null;
  const pixmap = line.newId();
  composite.NameWindowPixmap(top, pixmap);
  const size = await line.ask<Geometry>((client, reply) => client.GetGeometry(pixmap, reply));
  const inside = await line.ask<Geometry>((client, reply) => client.GetGeometry(top, reply));
  if (size === null || inside === null) return null;
  const picture = await readPart(line, { drawable: pixmap, from: outerBounds(inside), part: bounds });
  line.tell((client) => client.FreePixmap(pixmap));
  return picture === null ? refused('colours') : { picture };
}

/** Without a compositor: again, when the windows in front have moved meanwhile. */
async function readUnredirected(target: Target): Promise<Read | Refused> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const read = await tryUnredirected(target);
    if (read !== 'moved') return read;
  }
  return refused('unsteady');
}

/** An uncovered window is read from the screen, and a covered one has to draw itself elsewhere. */
async function tryUnredirected(target: Target): Promise<Read | Refused | 'moved'> {
  const { line, top, bounds, composite } = target;
  const above = await childrenAbove(line, top);
  const stack = above === null ? null : await readStack(line, top, above);
  if (above === null || stack === null) return 'moved';
  if (coveredParts(stack, bounds).length > 0)
    return composite === null ? refused('no_composite') : readCovered(target, composite, { stack, above });
  const area = { drawable: line.root, from: ORIGIN, part: bounds };
  const [now, picture] = await whileGrabbed(line, () =>
    Promise.all([readStack(line, top, above), readPart(line, area)]),
  );
  if (now === null || !isSame(now, stack)) return 'moved';
  return picture === null ? refused('colours') : { picture };
}

/**
 * The server gives the window a pixmap of its own, which begins as a copy of the screen. Pixels of covering windows are in that
 * copy, so the covered parts are blanked before any program can draw, and the app is told to draw them.
 */
async function readCovered(
  { line, top, bounds }: Target,
  composite: Composite,
  { stack, above }: { stack: Stack; above: readonly number[] },
): Promise<Read | Refused> {
  const [pixmap, context] = [line.newId(), line.newId()];
  const whole = outerBounds(stack.inside);
  const covered = coveredParts(stack, whole);
  const blank = (parts: readonly Bounds[]) => {
    const corners = parts.flatMap(({ x, y, width, height }) => [x - whole.x, y - whole.y, width, height]);
    line.tell((client) => client.PolyFillRectangle(pixmap, context, corners));
  };
  try {
    const [now, size] = await whileGrabbed(line, () => {
      const seen = readStack(line, top, above);
      composite.RedirectWindow(top, AUTOMATIC);
      composite.NameWindowPixmap(top, pixmap);
      line.tell((client) => client.CreateGC(context, pixmap, { foreground: BLANK, graphicsExposures: 0 }));
      blank(covered);
      return Promise.all([seen, line.ask<Geometry>((client, reply) => client.GetGeometry(pixmap, reply))]);
    });
    if (size === null) return refused('gone');
    const isAsSeen = now !== null && isSame(now, stack);
    if (!isAsSeen) blank([whole]);
    const read = () => readPart(line, { drawable: pixmap, from: whole, part: bounds });
    const before = await read();
    if (before === null) return refused('colours');
    await drawAgain(line, top, isAsSeen ? covered : [whole]);
    return await whenDrawn(before, read);
  } finally {
    composite.UnredirectWindow(top);
    line.tell((client) => client.FreeGC(context));
    line.tell((client) => client.FreePixmap(pixmap));
  }
}

/** Until the app has drawn and then stood still for a moment. */
async function whenDrawn(before: RawPicture, read: () => Promise<RawPicture | null>): Promise<Read | Refused> {
  const endMs = performance.now() + DRAWING_MS;
  let last = before;
  for (let stillSinceMs = performance.now(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const now = await read();
    if (now === null) return refused('gone');
    if (!isEqual(now, last)) stillSinceMs = performance.now();
    last = now;
    const isDrawn = !isEqual(now, before) && performance.now() - stillSinceMs >= STILL_MS;
    if (isDrawn || performance.now() > endMs) return { picture: now };
  }
}

/** Tells every window inside to draw these parts of the screen again. */
async function drawAgain(line: XLine, window: number, parts: readonly Bounds[]): Promise<void> {
  const at = await line.ask<{ destX: number; destY: number }>((client, reply) =>
    client.TranslateCoordinates(window, line.root, 0, 0, reply),
  );
  if (at === null) return;
  for (const { x, y, width, height } of parts)
    line.tell((client) => client.ClearArea(window, x - at.destX, y - at.destY, width, height, 1));
  const tree = await line.ask<{ children: number[] }>((client, reply) => client.QueryTree(window, reply));
  await Promise.all((tree?.children ?? []).map((child) => drawAgain(line, child, parts)));
}

/**
 * Asks several questions while no other program can change anything. All of them are sent at once, so that the server is never
 * held while this process does something else.
 */
function whileGrabbed<Answers>(line: XLine, work: () => Promise<Answers>): Promise<Answers> {
  line.tell((client) => client.GrabServer());
  const answers = work();
  line.tell((client) => client.UngrabServer());
  line.tell((client) => client.flush(() => undefined));
  return answers;
}

/** `from`: the place of the drawable on the screen. `part`: the part of the screen to read. */
async function readPart(
  line: XLine,
  { drawable, from, part: { x, y, width, height } }: { drawable: number; from: { x: number; y: number }; part: Bounds },
): Promise<RawPicture | null> {
  const image = await line.ask<PixelImage>((client, reply) =>
    client.GetImage(Z_PIXMAP, drawable, x - from.x, y - from.y, width, height, ALL_PLANES, reply),
  );
  const isTrueColour = image !== null && TRUE_COLOUR_DEPTHS.includes(image.depth);
  const hasFourBytes = image?.data.length === width * height * BYTES_PER_PIXEL;
  return isTrueColour && hasFourBytes ? { width, height, bgrx: image.data } : null;
}

/** With its border. */
function outerBounds({ xPos, yPos, width, height, borderWidth }: Geometry): Bounds {
  return { x: xPos, y: yPos, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
}

function isSame(one: Stack, other: Stack): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isEqual(one: RawPicture, other: RawPicture): boolean {
  return Buffer.compare(one.bgrx, other.bgrx) === 0;
}

function refused(reason: Refused['reason']): Refused {
  return { ok: false, reason };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
