import { createFakeElectron } from '../shell/electron/surface.ts';

/**
 * What the programs of a packed app import as `electron` when they run under Node: the fakes of the shell's tests, and a channel by which
 * the test sees what the app shows and chooses Quit in its menu.
 */
const fake = createFakeElectron();

export const {
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
} = fake.surface;

/** What the app shows: the address of its dashboard, the file of its icon in the menu bar, and its agent. */
export type Shown = { address: string; icon: string; preload: string; agent: { file: string; pid: number } };

void fake.app.exited.then((code) => process.exit(code));

process.on('SIGTERM', () => fake.app.app.quit());
process.on('message', (message) => {
  if (message === 'quit') fake.tray.choose('Quit');
  if (message === 'look') process.send?.(shown());
});

function shown(): Shown | null {
  const dashboard = fake.dashboard();
  const agent = fake.utility.forked[0];
  if (dashboard === undefined || agent === undefined) return null;
  const { preload = '' } = dashboard.options.webPreferences ?? {};
  const { file, child } = agent;
  return { address: dashboard.url, icon: fake.tray.shown.image, preload, agent: { file, pid: child.pid ?? 0 } };
}
