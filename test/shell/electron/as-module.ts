import { createFakeElectron } from './surface.ts';

/**
 * The module `electron` for the app's main program under Node: the fakes of the shell's tests. By its channel a test sees the windows and
 * the icon, and chooses Quit in the menu. Electron is ready only after the main program has been loaded whole, so
 * that a program that waits for it while it is loaded waits for ever. `start-entry.ts` calls `entryIsLoaded`.
 */
const loaded = Promise.withResolvers<void>();
export const entryIsLoaded = loaded.resolve;

const fake = createFakeElectron({ readyAfter: loaded.promise });

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
  if (message === 'sign in') void signIn();
});

/** What the page in the window does first. */
async function signIn(): Promise<void> {
  const dashboard = fake.dashboard();
  if (dashboard !== undefined) process.send?.({ session: await fake.ipc.fromPage(dashboard, 'signIn') });
}

function shown(): Shown | null {
  const dashboard = fake.dashboard();
  const agent = fake.utility.forked[0];
  if (dashboard === undefined || agent === undefined) return null;
  const { preload = '' } = dashboard.options.webPreferences ?? {};
  const { file, child } = agent;
  return { address: dashboard.url, icon: fake.tray.shown.image, preload, agent: { file, pid: child.pid ?? 0 } };
}
