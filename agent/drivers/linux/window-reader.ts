import type { Attributes, Client, Composite, Geometry, PixelImage, Reply, Shape, ShapeRectangles } from 'x11';
import { intersection } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { RawPicture } from './raw-picture.ts';

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

const BOUNDING = 0;

/** Left, top, width and height of each part, from the window's own corner. */
type ShapeParts = ShapeRectangles['rectangles'];

/** `null` is the server's refusal. */
export type Ask = <Value>(send: (client: Client, reply: Reply<Value>) => void) => Promise<Value | null>;

/** Questions, and requests that have no answer, to one server. */
export type XLine = { ask: Ask; tell(send: (client: Client) => void): void; newId(): number; root: number };

/** The parts of a window that it fills, where that is not all of it. The rest of its rectangle shows other windows. */
async function shapeOf(ask: Ask, shape: Shape | null, window: number): Promise<ShapeParts | null> {
  if (shape === null) return null;
  const [extents, parts] = await Promise.all([
    ask<{ boundingShaped: boolean }>((_client, reply) => shape.QueryExtents(window, reply)),
    ask<ShapeRectangles>((_client, reply) => shape.GetRectangles(window, BOUNDING, reply)),
  ]);
  return extents?.boundingShaped === true ? (parts?.rectangles ?? []) : null;
}

/** The picture with everything blank that is beside the parts; `left` and `top` are where the picture begins in the window. */
function onlyParts(picture: RawPicture, parts: ShapeParts, { left, top }: { left: number; top: number }): RawPicture {
  const { width, height, bgrx } = picture;
  const kept = new Uint8Array(bgrx.length);
  for (const [x, y, partWidth, partHeight] of parts) {
    const [from, to] = [Math.max(0, x - left), Math.min(width, x - left + partWidth)];
    const [first, end] = [Math.max(0, y - top), Math.min(height, y - top + partHeight)];
    for (let row = first; row < end && from < to; row += 1) {
      const start = (row * width + from) * BYTES_PER_PIXEL;
      kept.set(bgrx.subarray(start, start + (to - from) * BYTES_PER_PIXEL), start);
    }
  }
  return { width, height, bgrx: kept };
}

/** The windows in front of one, and where that one is. Two looks at the same windows are equal when nothing has changed. */
type Stack = { top: number; inside: Geometry; covers: Cover[] };

type Cover = { xid: number; isSeen: boolean; bounds: Bounds };

const VIEWABLE = 2;
const DRAWS = 1;

/** The child of the root window that holds a window: its frame, or the window itself. */
export async function topLevelOf(ask: Ask, root: number, window: number): Promise<number | null> {
  let current = window;
  for (let depth = 0; depth < 16; depth += 1) {
    const tree = await ask<{ parent: number }>((client, reply) => client.QueryTree(current, reply));
    if (tree === null || tree.parent === 0) return null;
    if (tree.parent === root) return current;
    current = tree.parent;
  }
  return null;
}

/** Asks everything at once, so that no other program comes in between where the server is grabbed. */
async function readStack(line: XLine, top: number, known: readonly number[]): Promise<Stack | null> {
  const { ask } = line;
  const [order, inside, ...covers] = await Promise.all([
    childrenAbove(line, top),
    ask<Geometry>((client, reply) => client.GetGeometry(top, reply)),
    ...known.map((xid) => readCover(ask, xid)),
  ]);
  if (order === null || inside === null || order.join() !== known.join()) return null;
  return { top, inside, covers };
}

/** The windows in front of one, the lowest first. */
async function childrenAbove({ ask, root }: XLine, top: number): Promise<number[] | null> {
  const tree = await ask<{ children: number[] }>((client, reply) => client.QueryTree(root, reply));
  const place = tree?.children.indexOf(top) ?? -1;
  return tree === null || place < 0 ? null : tree.children.slice(place + 1);
}

/** The parts of an area that other windows cover. */
function coveredParts({ covers }: Stack, area: Bounds): Bounds[] {
  return covers.flatMap(({ isSeen, bounds }) => (isSeen ? (intersection(bounds, area) ?? []) : []));
}

async function readCover(ask: Ask, xid: number): Promise<Cover> {
  const [geometry, attributes] = await Promise.all([
    ask<Geometry>((client, reply) => client.GetGeometry(xid, reply)),
    ask<Attributes>((client, reply) => client.GetWindowAttributes(xid, reply)),
  ]);
  const isSeen = geometry !== null && attributes?.mapState === VIEWABLE && attributes.klass === DRAWS;
  const { xPos = 0, yPos = 0, width = 0, height = 0, borderWidth = 0 } = geometry ?? {};
  const bounds = { x: xPos, y: yPos, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
  return { xid, isSeen, bounds };
}

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
