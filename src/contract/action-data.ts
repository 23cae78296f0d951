import { type TSchema, Type } from 'typebox';
import { ListedFiles, MovedFile, ReadFileResult, TrashedFile, WrittenFile } from './files.ts';
import { ClipboardText, GrantedAccess, InputResult, WindowList } from './hands.ts';
import { OpenedApp, QuitResult, ScreenDescription, ScreenOutline, ScreenshotData, Waited } from './screen.ts';
import { ScriptResult } from './scripts.ts';

/** The results of action types, under the names that the API description has for them. */
export const RESULT_RECORDS = {
  ClipboardText,
  GrantedAccess,
  InputResult,
  ListedFiles,
  MovedFile,
  OpenedApp,
  QuitResult,
  ReadFileResult,
  ScreenDescription,
  ScreenOutline,
  ScreenshotData,
  ScriptResult,
  TrashedFile,
  Waited,
  WindowList,
  WrittenFile,
} as const;

/** The shape of the result of each action type: `data` in the record of an action that succeeded. */
export const ACTION_DATA: Readonly<Record<string, TSchema>> = {
  Click: InputResult,
  CloseWindow: InputResult,
  DescribeScreen: Type.Union([ScreenDescription, ScreenOutline]),
  Drag: InputResult,
  FocusWindow: InputResult,
  InvokeMenu: InputResult,
  ListFiles: ListedFiles,
  ListWindows: WindowList,
  MinimizeWindow: InputResult,
  MovePointer: InputResult,
  MoveWindow: InputResult,
  MoveFile: MovedFile,
  OpenApp: OpenedApp,
  OpenUrl: InputResult,
  PressKeys: InputResult,
  ReadClipboard: ClipboardText,
  RequestAccess: GrantedAccess,
  Scroll: InputResult,
  SetValue: InputResult,
  TypeText: InputResult,
  WaitFor: InputResult,
  WriteClipboard: InputResult,
  QuitApp: QuitResult,
  ReadFile: ReadFileResult,
  RunScript: ScriptResult,
  TakeScreenshot: ScreenshotData,
  TrashFile: TrashedFile,
  Wait: Waited,
  WriteFile: WrittenFile,
};

/** The result of any action type. */
export const ActionData = Type.Union(Object.values(ACTION_DATA));
