import type { Static, TSchema } from 'typebox';
import { UndoFileParameters } from '../src/contract/file-undo.ts';
import {
  ListFilesParameters,
  MoveFileParameters,
  ReadFileParameters,
  TrashFileParameters,
  WriteFileParameters,
} from '../src/contract/files.ts';
import { lazyCheck } from '../src/contract/lazy-check.ts';
import { LOOK_AGAIN, RESOLVE_TARGETS, UNDO_FILE } from '../src/contract/link.ts';
import {
  DescribeScreenParameters,
  OpenAppParameters,
  QuitAppParameters,
  TakeScreenshotParameters,
  WaitParameters,
} from '../src/contract/parameters.ts';
import { RunScriptParameters } from '../src/contract/scripts.ts';
import { ResolveTargetsParameters } from '../src/contract/targets.ts';
import type { Attempt, Driver, Outcome } from './drivers/driver.ts';
import { listFiles } from './files/list-files.ts';
import { moveFile } from './files/move-file.ts';
import { readFile } from './files/read-file.ts';
import { trashFile } from './files/trash-file.ts';
import { undoFile } from './files/undo-file.ts';
import { writeFile } from './files/write-file.ts';
import { createScreenTexts } from './screen-text/screen-texts.ts';
import { runScript } from './scripts/run-script.ts';
import { judgedApp, judgedWindow } from './targets/judged-targets.ts';
import { resolveTargets } from './targets/resolve-targets.ts';
import { wait } from './wait.ts';

/** Carries out one action type: on the driver, or without one where no desktop is needed. */
export type Performer = (work: {
  parameters: unknown;
  attempt: Attempt;
  driver: () => Promise<Driver>;
  /** To be called before the first effect, where no driver is used. */
  begin: () => void;
}) => Promise<Outcome<unknown>>;

const screenTexts = createScreenTexts();

/** The performers of this agent, by action type. */
export const PERFORMERS: ReadonlyMap<string, Performer> = new Map([
  ['DescribeScreen', onDriver(DescribeScreenParameters, describeScreen)],
  ['TakeScreenshot', onDriver(TakeScreenshotParameters, takeScreenshot)],
  [
    RESOLVE_TARGETS,
    checked(ResolveTargetsParameters, (parameters, { attempt, driver }) =>
      resolveTargets(parameters, { attempt, driver }),
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
  ['ListFiles', onFiles(ListFilesParameters, listFiles)],
  ['ReadFile', onFiles(ReadFileParameters, readFile)],
  ['WriteFile', onFiles(WriteFileParameters, writeFile)],
  ['MoveFile', onFiles(MoveFileParameters, moveFile)],
  ['TrashFile', onFiles(TrashFileParameters, trashFile)],
  ['RunScript', onFiles(RunScriptParameters, (parameters, attempt) => runScript(parameters, attempt))],
  [UNDO_FILE, onFiles(UndoFileParameters, undoFile)],
  ['Wait', checked(WaitParameters, ({ durationMs }, { attempt }) => wait(durationMs, attempt))],
]);

/** As the driver describes it or, for a model, as text. */
async function describeScreen(
  driver: Driver,
  parameters: DescribeScreenParameters,
  attempt: Attempt,
): Promise<Outcome<unknown>> {
  const outcome = await driver.describeScreen(parameters, attempt);
  if (!outcome.ok || parameters.format !== 'text') return outcome;
  const outlined = screenTexts(outcome.data, parameters);
  return outlined.ok ? { ...outcome, details: 'Described the screen.', data: outlined.data } : outlined;
}

/** An id alone says nothing: without the window that the person was told about, none is captured. */
async function takeScreenshot(
  driver: Driver,
  parameters: TakeScreenshotParameters,
  attempt: Attempt,
): Promise<Outcome<unknown>> {
  const isBound = parameters.windowId === undefined || judgedWindow(attempt, parameters.windowId) !== undefined;
  return isBound ? driver.takeScreenshot(parameters, attempt) : unboundWindow;
}

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
  return checked(schema, async (parameters, { attempt, driver }) => perform(await driver(), parameters, attempt));
}

/** Files are the same on every platform, so no driver is loaded for them. */
function onFiles<Schema extends TSchema>(
  schema: Schema,
  perform: (parameters: Static<Schema>, attempt: Attempt) => Promise<Outcome<unknown>>,
): Performer {
  return checked(schema, (parameters, { attempt, begin }) => {
    begin();
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

const unboundWindow: Outcome<never> = {
  ok: false,
  code: 'target_changed',
  message: 'Nobody was told which window this is; nothing was captured.',
  fix: 'Submit it again.',
  sideEffect: 'none',
};
