import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  Notification,
  powerMonitor,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
} from 'electron';
import { pino } from 'pino';
import { assetPath, assetPathForOtherPrograms } from '../launch/assets.ts';
import { readSettings } from '../own-daemon/settings.ts';
import { openLogFile } from '../shell/log.ts';
import { createMacPrograms } from '../shell/mac-programs.ts';
import { startShell } from './shell.ts';
import type { Surface } from './surface.ts';

/** The entry of the app. All of electron is handed over here, so that the rest runs under Node, too. */
const electron: Surface = {
  app,
  BrowserWindow,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  Notification,
  powerMonitor,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
};

// Electron becomes ready only when this file has been loaded whole. Waiting here for the start, which waits for electron, would never end.
void start();

async function start(): Promise<void> {
  try {
    const settings = readSettings(process.env, process.platform);
    const log = pino({ level: settings.logLevel }, openLogFile(`${settings.dataDirectory}-shell`));
    await startShell({
      electron,
      mac: createMacPrograms({ scripts: assetPathForOtherPrograms('macos-scripts'), log }),
      settings,
      log,
      environment: process.env,
      platform: process.platform,
      words: process.argv.slice(1),
      paths: {
        preload: assetPath('preload'),
        agent: assetPath('agent'),
        trayImage: (state) => join(assetPath('tray'), `${state}Template.png`),
      },
    });
  } catch (error) {
    // A person who started an app sees no output of it.
    dialog.showErrorBox('Handrail cannot start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  }
}
