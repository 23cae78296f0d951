import { openApp, quitApp } from './catalogue/apps.ts';
import type { ActionDefinition } from './catalogue/definition.ts';
import { listFiles, moveFile, readFile, trashFile, writeFile } from './catalogue/file-actions.ts';
import { readClipboard, wait, waitFor, writeClipboard } from './catalogue/hands/desktop.ts';
import { pressKeys, setValue, typeText } from './catalogue/hands/keyboard.ts';
import { openUrl } from './catalogue/hands/open-url.ts';
import { click, drag, movePointer, scroll } from './catalogue/hands/pointer.ts';
import { requestAccess } from './catalogue/hands/request-access.ts';
import {
  closeWindow,
  focusWindow,
  invokeMenu,
  listWindows,
  minimizeWindow,
  moveWindow,
} from './catalogue/hands/windows.ts';
import { runScript } from './catalogue/run-script.ts';
import { describeScreen, takeScreenshot } from './catalogue/screen.ts';

/** Every action type there is, by name. Each module is the one place that describes its type. */
export const CATALOGUE: ReadonlyMap<string, ActionDefinition> = new Map(
  [
    click,
    closeWindow,
    describeScreen,
    drag,
    focusWindow,
    invokeMenu,
    listFiles,
    listWindows,
    minimizeWindow,
    moveFile,
    movePointer,
    moveWindow,
    openApp,
    openUrl,
    pressKeys,
    quitApp,
    readClipboard,
    readFile,
    requestAccess,
    runScript,
    scroll,
    setValue,
    takeScreenshot,
    trashFile,
    typeText,
    wait,
    waitFor,
    writeClipboard,
    writeFile,
  ].map((definition) => [definition.name, definition]),
);

/** Whether actions of a type use pointer, keyboard or windows. A type that was removed since does not. */
export function isInput(actionType: string): boolean {
  return CATALOGUE.get(actionType)?.isInput === true;
}

/** Whether actions of a type are screenshots or descriptions of the screen. A type that was removed since is none. */
export function isCapture(actionType: string): boolean {
  return CATALOGUE.get(actionType)?.isCapture === true;
}

/** The thing that each action of a type is about, where that is counted. */
export function countedAs(actionType: string): 'script' | 'file' | null {
  return CATALOGUE.get(actionType)?.countedAs ?? null;
}
