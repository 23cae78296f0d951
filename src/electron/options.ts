import type { startDaemon } from '../daemon/daemon.ts';
import type { Settings } from '../own-daemon/settings.ts';
import type { MacPrograms } from '../shell/mac-programs.ts';
import type { TrayStatusName } from '../shell/tray-status.ts';
import type { Surface } from './surface.ts';

/** The files that the shell hands to electron. */
export type DesktopPaths = { preload: string; agent: string; trayImage(state: TrayStatusName): string };

export type ShellOptions = {
  electron: Surface;
  /** Asked on macOS only. */
  mac: MacPrograms;
  paths: DesktopPaths;
  settings: Settings;
  log: Parameters<typeof startDaemon>[0]['log'];
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The arguments of the app. */
  words: readonly string[];
};
