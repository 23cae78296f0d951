import type { Static, TSchema } from 'typebox';
import {
  ListFilesParameters,
  MoveFileParameters,
  ReadFileParameters,
  TrashFileParameters,
  UndoFileParameters,
  WriteFileParameters,
} from '../src/contract/files.ts';
import {
  ClickParameters,
  DragParameters,
  InvokeMenuParameters,
  ListWindowsParameters,
  MovePointerParameters,
  MoveWindowParameters,
  OpenUrlParameters,
  PressKeysParameters,
  ReadClipboardParameters,
  RequestAccessParameters,
  ScrollParameters,
  SetValueParameters,
  TypeTextParameters,
  WaitForParameters,
  WindowParameters,
  WriteClipboardParameters,
} from '../src/contract/hands.ts';
import { lazyCheck } from '../src/contract/lazy-check.ts';
import { EvidencePlace, LOOK_AGAIN, PICTURE_PLACE, RESOLVE_TARGETS, UNDO_FILE } from '../src/contract/link.ts';
import {
  DescribeScreenParameters,
  OpenAppParameters,
  QuitAppParameters,
  TakeScreenshotParameters,
  WaitParameters,
} from '../src/contract/parameters.ts';
import { RunScriptParameters } from '../src/contract/scripts.ts';
import { ResolveTargetsParameters } from '../src/contract/targets.ts';
import type { Driver } from './drivers/driver.ts';
import type { Attempt, Outcome } from './drivers/outcome.ts';
import { stoppedFailure } from './drivers/stopping.ts';
import { listFiles } from './files/list-files.ts';
import { moveFile } from './files/move-file.ts';
import { readFile } from './files/read-file.ts';
import { trashFile } from './files/trash-file.ts';
import { undoFile } from './files/undo-file.ts';
import { writeFile } from './files/write-file.ts';
import { openUrl, readClipboard, requestAccess, waitFor, writeClipboard } from './hands/desktop.ts';
import { picturePlace, withEvidence } from './hands/evidence.ts';
import { saysWhetherSettled } from './hands/input-result.ts';
import { pressKeys, setValue, typeText } from './hands/keyboard.ts';
import { click, drag, movePointer, scroll } from './hands/pointer.ts';
import { closeWindow, focusWindow, invokeMenu, listWindows, minimizeWindow, moveWindow } from './hands/windows.ts';
import { createLooks } from './looks/looks.ts';
import { runScript } from './scripts/run-script.ts';
import { createFrames } from './targets/frame-memory.ts';
import { judgedApp } from './targets/judged-targets.ts';
import { resolveTargets } from './targets/resolve-targets.ts';

/** Carries out one action type: on the driver, or without one where no desktop is needed. */
type Performer = (work: {
  parameters: unknown;
  attempt: Attempt;
  driver: () => Promise<Driver>;
}) => Promise<Outcome<unknown>>;

const frames = createFrames();
const { describeScreen, takeScreenshot } = createLooks(frames);

/** Does nothing for a while; stops when the attempt is stopped. The same on every platform. */
function wait(durationMs: number, { signal }: Attempt): Promise<Outcome<{ waitedMs: number }>> {
  if (signal.aborted) return Promise.resolve(stoppedFailure(signal, 'none'));
  if (durationMs === 0) return Promise.resolve(waited(0));
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve(stoppedFailure(signal, 'none'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(waited(durationMs));
    }, durationMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function waited(durationMs: number): Outcome<{ waitedMs: number }> {
  return { ok: true, details: `Waited ${durationMs} ms.`, effect: 'none', data: { waitedMs: durationMs } };
}

/** The performers of this agent, by action type. */
export const PERFORMERS: ReadonlyMap<string, Performer> = new Map([
  ['DescribeScreen', onDriver(DescribeScreenParameters, describeScreen)],
  ['TakeScreenshot', onDriver(TakeScreenshotParameters, takeScreenshot)],
  [
    RESOLVE_TARGETS,
    checked(ResolveTargetsParameters, (parameters, { attempt, driver }) =>
      resolveTargets(parameters, { attempt, driver, frames }),
    ),
  ],
  [
    'OpenApp',
    onDriver(
      OpenAppParameters,
      onJudgedApp((driver, ...work) => driver.openApp(...work)),
    ),
  ],
  [
    'QuitApp',
    onDriver(
      QuitAppParameters,
      onJudgedApp((driver, ...work) => driver.quitApp(...work)),
    ),
  ],
  [LOOK_AGAIN, async () => ({ ok: true, details: 'Looked again.', effect: 'none', data: {} })],
  [PICTURE_PLACE, onDriver(EvidencePlace, picturePlace)],
  ['ListFiles', onFiles(ListFilesParameters, listFiles)],
  ['ReadFile', onFiles(ReadFileParameters, readFile)],
  ['WriteFile', onFiles(WriteFileParameters, writeFile)],
  ['MoveFile', onFiles(MoveFileParameters, moveFile)],
  ['TrashFile', onFiles(TrashFileParameters, trashFile)],
  ['RunScript', onFiles(RunScriptParameters, (parameters, attempt) => runScript(parameters, attempt))],
  [UNDO_FILE, onFiles(UndoFileParameters, undoFile)],
  ['Click', onHands(ClickParameters, withEvidence(saysWhetherSettled(click)))],
  ['MovePointer', onHands(MovePointerParameters, withEvidence(saysWhetherSettled(movePointer)))],
  ['Drag', onHands(DragParameters, withEvidence(saysWhetherSettled(drag)))],
  ['Scroll', onHands(ScrollParameters, withEvidence(saysWhetherSettled(scroll)))],
  ['TypeText', onHands(TypeTextParameters, withEvidence(saysWhetherSettled(typeText)))],
  ['PressKeys', onHands(PressKeysParameters, withEvidence(saysWhetherSettled(pressKeys)))],
  ['SetValue', onHands(SetValueParameters, withEvidence(saysWhetherSettled(setValue)))],
  ['InvokeMenu', onHands(InvokeMenuParameters, saysWhetherSettled(invokeMenu))],
  ['ListWindows', onDriver(ListWindowsParameters, listWindows)],
  ['FocusWindow', onHands(WindowParameters, saysWhetherSettled(focusWindow))],
  ['MoveWindow', onHands(MoveWindowParameters, saysWhetherSettled(moveWindow))],
  ['MinimizeWindow', onHands(WindowParameters, saysWhetherSettled(minimizeWindow))],
  ['CloseWindow', onHands(WindowParameters, saysWhetherSettled(closeWindow))],
  ['WaitFor', onDriver(WaitForParameters, waitFor)],
  ['OpenUrl', onDriver(OpenUrlParameters, saysWhetherSettled(openUrl))],
  ['ReadClipboard', onDriver(ReadClipboardParameters, readClipboard)],
  ['WriteClipboard', onDriver(WriteClipboardParameters, writeClipboard)],
  ['RequestAccess', onDriver(RequestAccessParameters, requestAccess)],
  ['Wait', checked(WaitParameters, ({ durationMs }, { attempt }) => wait(durationMs, attempt))],
]);

/** A name alone says nothing: no app is touched but the one that was judged for it. */
function onJudgedApp(
  act: (driver: Driver, parameters: OpenAppParameters, attempt: Attempt) => Promise<Outcome<unknown>>,
): typeof act {
  return async (driver, parameters, attempt) =>
    judgedApp(attempt, parameters.appName) === undefined ? unjudgedApp : act(driver, parameters, attempt);
}

function onDriver<Schema extends TSchema>(
  schema: Schema,
  perform: (driver: Driver, parameters: Static<Schema>, attempt: Attempt) => Promise<Outcome<unknown>>,
): Performer {
  return checked(schema, async (parameters, { attempt, driver }) => {
    const ready = await driver();
    attempt.begin?.();
    return perform(ready, parameters, attempt);
  });
}

/** Input begins after the last look at its target, and not before. */
function onHands<Schema extends TSchema>(
  schema: Schema,
  perform: (driver: Driver, parameters: Static<Schema>, attempt: Attempt) => Promise<Outcome<unknown>>,
): Performer {
  return checked(schema, async (parameters, { attempt, driver }) => perform(await driver(), parameters, attempt));
}

/** Files are the same on every platform, so no driver is loaded for them. */
function onFiles<Schema extends TSchema>(
  schema: Schema,
  perform: (parameters: Static<Schema>, attempt: Attempt) => Promise<Outcome<unknown>>,
): Performer {
  return checked(schema, (parameters, { attempt }) => {
    attempt.begin?.();
    return perform(parameters, attempt);
  });
}

/** The daemon has checked the parameters; an agent that acts on a desktop does not count on it. */
function checked<Schema extends TSchema>(
  schema: Schema,
  perform: (parameters: Static<Schema>, work: Parameters<Performer>[0]) => Promise<Outcome<unknown>>,
): Performer {
  const isParameters = lazyCheck(schema);
  return async (work) => (isParameters(work.parameters) ? perform(work.parameters, work) : invalid);
}

const invalid: Outcome<never> = {
  ok: false,
  code: 'internal_error',
  message: 'Expected parameters that fit the action type; the daemon sent others, and nothing was done.',
  sideEffect: 'none',
};

const unjudgedApp: Outcome<never> = {
  ok: false,
  code: 'target_changed',
  message: 'Nobody has judged which app this is; nothing was done.',
  fix: 'Submit it again.',
  sideEffect: 'none',
};
