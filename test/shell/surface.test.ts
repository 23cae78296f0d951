import type {
  App,
  BrowserWindow,
  Dialog,
  GlobalShortcut,
  IpcMain,
  Menu,
  Notification,
  PowerMonitor,
  Screen,
  Session,
  Shell,
  SystemPreferences,
  Tray,
  UtilityProcess,
  WebContents,
} from 'electron';
import { expectTypeOf, test } from 'vitest';
import type {
  ShellApp,
  ShellChild,
  ShellContents,
  ShellIpc,
  ShellNotice,
  ShellSession,
  ShellTray,
  ShellWindow,
  Surface,
} from '../../src/electron/surface.ts';

test('what electron has fits what the shell uses of it, which the fakes are held to as well', () => {
  expectTypeOf<App>().toExtend<ShellApp>();
  expectTypeOf<BrowserWindow>().toExtend<ShellWindow>();
  expectTypeOf<WebContents>().toExtend<ShellContents>();
  expectTypeOf<typeof Menu>().toExtend<Surface['Menu']>();
  expectTypeOf<Notification>().toExtend<ShellNotice>();
  expectTypeOf<Tray>().toExtend<ShellTray>();
  expectTypeOf<Dialog>().toExtend<Surface['dialog']>();
  expectTypeOf<GlobalShortcut>().toExtend<Surface['globalShortcut']>();
  expectTypeOf<IpcMain>().toExtend<ShellIpc>();
  expectTypeOf<PowerMonitor>().toExtend<Surface['powerMonitor']>();
  expectTypeOf<Screen>().toExtend<Surface['screen']>();
  expectTypeOf<Session>().toExtend<ShellSession>();
  expectTypeOf<Shell>().toExtend<Surface['shell']>();
  expectTypeOf<SystemPreferences>().toExtend<Surface['systemPreferences']>();
  expectTypeOf<UtilityProcess>().toExtend<ShellChild>();
  expectTypeOf<typeof import('electron')>().toExtend<Surface>();
});
