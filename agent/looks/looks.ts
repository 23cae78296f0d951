import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { around, intersects } from '../../src/contract/bounds.ts';
import type { Bounds, Display } from '../../src/contract/device.ts';
import { SETTLE_WITHIN_MS } from '../../src/contract/hands.ts';
import type { DescribeScreenParameters, TakeScreenshotParameters } from '../../src/contract/parameters.ts';
import { type Frame, isIn } from '../../src/contract/picture-frames.ts';
import { marksOf } from '../../src/contract/pictures.ts';
import type {
  Mark,
  ScreenDescription,
  ScreenElement,
  ScreenshotData,
  ScreenWindow,
} from '../../src/contract/screen.ts';
import type { Driver } from '../drivers/driver.ts';
import { refuseChangedWindow } from '../drivers/expected-window.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { type Drawing, drawnMarks } from '../drivers/pictures/drawn-marks.ts';
import { refsFor } from '../screen-text/refs.ts';
import { createScreenTexts } from '../screen-text/screen-texts.ts';
import { type Frames, WINDOW_GONE } from '../targets/frame-memory.ts';
import { judgedWindow } from '../targets/judged-targets.ts';
import { refuseOtherSite, windowWithPage } from '../targets/own-pages.ts';

const PATIENCE = { withinMs: SETTLE_WITHIN_MS.look };
const STILL_CHANGING = 'not settled: it was still changing after 2 s';

/** The parts of the screen where windows of programs with a signed-in dashboard are seen. */
async function dashboardParts(driver: Driver, attempt: Attempt): Promise<Bounds[] | Failed> {
  const { dashboards } = attempt;
  if (dashboards === undefined) return [];
  const listed = await driver.input().listWindows(attempt);
  if (!listed.ok) return listed;
  const shown = listed.data.windows
    .filter(({ onScreen }) => onScreen)
    .toSorted((one, other) => one.zIndex - other.zIndex);
  return shown.flatMap((window, index) =>
    isOf(window, dashboards) ? shown.slice(0, index).reduce(without, [window.bounds]) : [],
  );
}

function isOf({ pid, app }: ScreenWindow, { pids, apps }: NonNullable<Attempt['dashboards']>): boolean {
  const name = app.toLowerCase();
  return (pid !== null && pids.includes(pid)) || apps.some((each) => name.includes(each.toLowerCase()));
}

/** What is left of some rectangles under a window in front of them. */
function without(parts: Bounds[], { bounds: front }: Pick<ScreenWindow, 'bounds'>): Bounds[] {
  return parts.flatMap((part) => {
    const [left, right] = [Math.max(part.x, front.x), Math.min(part.x + part.width, front.x + front.width)];
    const [top, bottom] = [Math.max(part.y, front.y), Math.min(part.y + part.height, front.y + front.height)];
    if (left >= right || top >= bottom) return [part];
    const { x, width } = part;
    return [
      { x, y: part.y, width, height: top - part.y },
      { x, y: bottom, width, height: part.y + part.height - bottom },
      { x, y: top, width: left - x, height: bottom - top },
      { x: right, y: top, width: x + width - right, height: bottom - top },
    ].filter((rest) => rest.width > 0 && rest.height > 0);
  });
}

/** Black where the dashboard is, in the pixels of a picture. */
function blanked(parts: readonly Bounds[], { bounds, scale }: { bounds: Bounds; scale: number }): Drawing {
  return parts.map((part) => {
    const [x, y] = [Math.floor((part.x - bounds.x) * scale), Math.floor((part.y - bounds.y) * scale)];
    const right = Math.ceil((part.x + part.width - bounds.x) * scale);
    const bottom = Math.ceil((part.y + part.height - bounds.y) * scale);
    return { x, y, width: right - x, height: bottom - y, colour: '#000000' };
  });
}

/** The two actions that look. Each answers a frame, in which later actions give their points. */
export function createLooks(frames: Frames) {
  const screenTexts = createScreenTexts();

  /** As the driver describes it or, for a model, as text. */
  async function describeScreen(
    driver: Driver,
    parameters: DescribeScreenParameters,
    attempt: Attempt,
  ): Promise<Outcome<unknown>> {
    const rest = parameters.settle === true ? { settled: await driver.input().settle(PATIENCE, attempt) } : {};
    const takenAt = Date.now();
    const outcome = await describedAsJudged(driver, parameters, attempt);
    if (!outcome.ok) return outcome;
    const { data } = outcome;
    if (parameters.format !== 'text')
      return { ...outcome, data: { ...data, ...rest, ...framed(data, data.frameId, takenAt) } };
    const outlined = screenTexts(data, parameters, refsFor(attempt));
    if (!outlined.ok) return outlined;
    const { frameId } = outlined.data;
    const text = rest.settled === false ? `${outlined.data.text}\n${STILL_CHANGING}` : outlined.data.text;
    return {
      ...outcome,
      details: 'Described the screen.',
      data: { ...outlined.data, text, ...rest, ...framed(data, frameId, takenAt) },
    };
  }

  async function describedAsJudged(
    driver: Driver,
    parameters: DescribeScreenParameters,
    attempt: Attempt,
  ): Promise<Outcome<ScreenDescription>> {
    const change = await changeOf(driver, parameters.region, attempt);
    if (change !== null) return change;
    const outcome = await driver.describeScreen(parameters, attempt);
    if (!outcome.ok) return outcome;
    if (!showsJudged(outcome.data, parameters, attempt)) return WINDOW_GONE;
    // Another page may have been loaded meanwhile.
    return (await changeOf(driver, parameters.region, attempt)) ?? outcome;
  }

  /** Why a window is not looked at, if it, or the site that it shows, is not the one that was judged any longer. */
  async function changeOf(driver: Driver, windowId: string | undefined, attempt: Attempt): Promise<Failed | null> {
    const judged = judgedWindow(attempt, windowId);
    if (judged === undefined) return null; // guard N22-1
    const now = await windowWithPage(driver, { windowId: judged.id }, attempt);
    return now.ok ? (refuseChangedWindow(judged, now.data) ?? refuseOtherSite(judged, now.data)) : now; // guard N44-2
  }

  function framed(
    { displays, windows, elements }: ScreenDescription,
    frameId: string,
    takenAt: number,
  ): { frame?: Frame } {
    if (displays.length === 0) return {};
    const source = around(displays);
    const frame: Frame = { frameId, displayId: onlyOne(displays), source, scale: 1, takenAt };
    frames.keep({ frame, looks: [windows], elements });
    return { frame };
  }

  /** An id alone says nothing: without the window that the person was told about, none is captured. */
  async function takeScreenshot(
    driver: Driver,
    parameters: TakeScreenshotParameters,
    attempt: Attempt,
  ): Promise<Outcome<ScreenshotData>> {
    const { windowId } = parameters;
    if (windowId !== undefined) return pictureOfWindow(driver, { ...parameters, windowId }, attempt);
    const hidden = await dashboardParts(driver, attempt);
    if ('code' in hidden) return hidden;
    const outcome = await pictured(driver, parameters, { attempt, hidden });
    return isDeepStrictEqual(await dashboardParts(driver, attempt), hidden) ? outcome : dashboardMoved; // guard A28-2
  }

  async function pictureOfWindow(
    driver: Driver,
    parameters: TakeScreenshotParameters & { windowId: string },
    attempt: Attempt,
  ): Promise<Outcome<ScreenshotData>> {
    const judged = judgedWindow(attempt, parameters.windowId);
    if (judged === undefined) return unboundWindow;
    const outcome = await pictured(driver, parameters, { attempt });
    if (judged.page === undefined || !outcome.ok) return outcome;
    return (await changeOf(driver, judged.id, attempt)) ?? outcome;
  }

  async function pictured(
    driver: Driver,
    parameters: TakeScreenshotParameters,
    { attempt, hidden = [] }: { attempt: Attempt; hidden?: readonly Bounds[] },
  ): Promise<Outcome<ScreenshotData>> {
    const { windowId } = parameters;
    const takenAt = Date.now();
    const [before, described] = await Promise.all([
      driver.input().windowPlaces(attempt),
      parameters.marks === true ? driver.describeScreen({}, attempt) : undefined,
    ]);
    const refs = refsFor(attempt);
    if (described?.ok) refs.renew(described.data.elements);
    let marks: Mark[] | undefined;
    const overlay = (bounds: Bounds, scale: number) => {
      if (described !== undefined)
        marks = marksOf(described.ok ? uncovered(described.data, windowId) : [], bounds, refs.of);
      return [...blanked(hidden, { bounds, scale }), ...drawnMarks(marks ?? [], { bounds, scale })]; // guard A28-1
    };
    const isPlain = described === undefined && hidden.length === 0;
    const outcome = await driver.takeScreenshot(parameters, attempt, isPlain ? undefined : overlay);
    if (!outcome.ok) return outcome;
    const { width, height, bounds, scale, displays } = outcome.data;
    const frame: Frame = {
      frameId: `frame_${randomUUID()}`,
      displayId: onlyOne(displays.filter((display) => intersects(bounds, display.bounds))),
      source: bounds,
      scale,
      image: { width, height },
      takenAt,
    };
    frames.keep({ frame, looks: [before, await driver.input().windowPlaces(attempt)], windowId });
    return { ...outcome, data: { ...outcome.data, frame, ...(marks !== undefined && { marks }) } };
  }

  return { describeScreen, takeScreenshot };
}

/** The id may have gone to a window of another program meanwhile. */
function showsJudged({ windows }: ScreenDescription, { region }: DescribeScreenParameters, attempt: Attempt): boolean {
  const judged = judgedWindow(attempt, region);
  return judged === undefined || windows.some(({ id, pid }) => id === judged.id && pid === judged.pid);
}

/**
 * The elements that the picture shows. A picture of one window shows all of its elements. Another shows each element whose middle no
 * other window covers.
 */
function uncovered({ windows, elements }: ScreenDescription, windowId: string | undefined): ScreenElement[] {
  if (windowId !== undefined) return elements.filter((element) => element.windowId === windowId);
  return elements.filter((element) => {
    if (element.bounds === null || element.windowId === null) return true;
    const { x, y, width, height } = element.bounds;
    const middle = { x: x + width / 2, y: y + height / 2 };
    return windows.find(({ bounds, onScreen }) => onScreen && isIn(bounds, middle))?.id === element.windowId;
  });
}

function onlyOne(displays: readonly Display[]): string | null {
  const [display, ...others] = displays;
  return display !== undefined && others.length === 0 ? display.id : null;
}

const unboundWindow: Outcome<never> = {
  ok: false,
  code: 'target_changed', // guard A11-2
  message: 'Nobody was told which window this is; nothing was captured.',
  fix: 'Submit it again.',
  sideEffect: 'none',
};

const dashboardMoved: Outcome<never> = {
  ok: false,
  code: 'target_changed',
  message: 'A window with your dashboard appeared or moved meanwhile, so the picture was dropped.',
  fix: 'Take it again.',
  sideEffect: 'none',
};
