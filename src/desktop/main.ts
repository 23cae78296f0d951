import { mkdirSync, renameSync, statSync } from 'node:fs';
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
import { assetPath } from '../assets.ts';
import { readSettings } from '../settings.ts';
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

/** A log larger than this is put aside when the app starts; the one before it goes. */
const MOST_LOG_BYTES = 10 * 1024 * 1024;

try {
  const settings = readSettings(process.env, process.platform);
  await startShell({
    electron,
    settings,
    log: pino({ level: settings.logLevel }, logDestination(`${settings.dataDirectory}-shell`)),
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
  process.stderr.write(`handrail: ${error instanceof Error ? error.message : String(error)}\n`);
  app.exit(1);
}

/** An app has no terminal, so its log is a file that only its user can read. */
function logDestination(folder: string): ReturnType<typeof pino.destination> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'handrail.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_LOG_BYTES) renameSync(path, `${path}.before`);
  const destination = pino.destination({ dest: path, mode: 0o600, sync: true });
  // Without a listener a full disk under the log would throw wherever something is logged. There is nowhere to say it.
  destination.on('error', () => undefined);
  return destination;
}
