import type { Bounds } from '../../../src/contract/device.ts';
import { createFakeHands, type FakeHands } from './fake-hands.ts';

/**
 * A Mac in memory, for the programs and the scripting bridge that the macOS driver uses: installed apps, running apps, the
 * screen, granted permissions. Tests change it freely.
 */
export type FakeMac = {
  /** The first is the menu-bar display. Empty: no graphical session, as over ssh or without a screen. */
  displays: FakeDisplay[];
  session: { onConsole: boolean; locked: boolean } | null;
  grants: FakeGrants;
  installed: FakeApp[];
  /** Bundle ids that LaunchServices still remembers at a path that is empty by now. */
  staleRegistrations: Record<string, string>;
  /** The path of the app that opens addresses of the web, if one is set. */
  opensAddresses: string | null;
  processes: FakeProcess[];
  frontmostPid: number | null;
  /** Front to back. */
  windows: FakeWindow[];
  clock: FakeClock;
  hands: FakeHands;
  /** Which window each picture that screencapture wrote is of, by path. */
  captures: Map<string, number>;
  /** Time each accessibility call takes. */
  callCostMs: number;
  launch(app: FakeApp): FakeProcess;
  quit(pid: number): void;
  /** The result of NSRunningApplication's `terminate`; false when the app did not get the request. */
  askToQuit(pid: number): boolean;
  activate(pid: number): void;
  processOf(pid: number): FakeProcess | undefined;
};

export type FakeClock = {
  now(): number;
  advance(byMs: number): void;
  after(delayMs: number, change: () => void): void;
};

export type FakeDisplay = { id: number; name: string; bounds: Bounds; scale: number; asleep?: boolean };

export type FakeGrants = {
  /** `stale`: the switch is on, but for an older signature, so that the system says yes and withholds all the same. */
  screenRecording: boolean | 'stale';
  accessibility: boolean;
};

export type FakeApp = {
  path: string;
  bundleId: string | null;
  /** The name that the Finder shows; by default the file's name. */
  displayName?: string;
  bundleName?: string;
  frameworks?: readonly string[];
  /** How a browser engine comes to build its tree: as Electron does, asked by an attribute, or by itself when it is looked at. */
  buildsTree?: 'when looked at' | 'never';
  answersWrongly?: true;
  policy?: 'regular' | 'accessory' | 'prohibited';
  /** Whether LaunchServices knows it by its bundle id; it does unless said otherwise. */
  isRegistered?: false;
  /** The reaction to `open`: by default the app shows `window` at once. */
  launch?: 'broken' | 'dies' | { windowAfterMs: number } | { frontmost: false };
  window?: Omit<FakeWindow, 'id' | 'pid'>;
  /**
   * The reaction to a request to quit; by default the app ends at once. `asks`: it puts a sheet on its front window. `is
   * unreachable`: the request does not arrive.
   */
  whenAskedToQuit?: 'asks' | 'is unreachable' | { endsAfterMs: number } | { notesForMs: number };
};

export type FakeProcess = {
  pid: number;
  app: FakeApp;
  hung: boolean;
  menuBar: FakeElement | null;
  contextMenus: FakeElement[];
  /** For apps on Chromium: whether they were asked for their tree, and since when. */
  awake: { sinceMs: number } | null;
};

export type FakeWindow = {
  id: number;
  pid: number;
  title: string;
  bounds: Bounds;
  layer?: number;
  alpha?: number;
  letsClicksThrough?: true;
  /** Its app gave it no title at all, so that the window server has none to tell. */
  isUntitled?: true;
  /** Its element, an AXWindow; null for a window without one, such as a sheet or one drawn by a game. */
  element: FakeElement | null;
  /** The text that Vision reads in a picture of it; boxes have their origin at the bottom left. */
  recognized?: readonly { text: string; confidence: number; box: Bounds; hasNoCandidate?: true }[];
  /** Its colour in a capture; protected and sleeping content is black. */
  color?: string;
};

export type FakeElement = {
  role: string;
  subrole?: string;
  title?: string;
  /** As its app names it for programs. */
  identifier?: string;
  description?: string;
  placeholder?: string;
  value?: string | number | boolean;
  bounds?: Bounds;
  enabled?: boolean;
  focused?: boolean;
  selected?: boolean;
  actions?: readonly string[];
  children?: FakeElement[];
  visibleRows?: FakeElement[];
  visibleChildren?: FakeElement[];
  /** Where a row stands in its table. */
  index?: number;
  header?: FakeElement;
  /** The text beside it that labels it. */
  titleElement?: FakeElement;
  minimized?: boolean;
  /** The address of a page. */
  url?: string;
  /** The button that Return presses in a window. */
  defaultButton?: FakeElement;
  /** The selected part of its text; by default nothing, at the end. */
  selection?: { start: number; length: number };
  /** The effect of AXPress, beside that of its role; its app may answer with an error after it. */
  onPress?: () => void;
  pressError?: number;
  /** Children that a Chromium app shows only some time after it was asked for its tree. */
  page?: { afterMs: number; children: FakeElement[] };
};

const FIRST_PID = 500;

export function createFakeMac(parts: Partial<Omit<FakeMac, 'clock' | 'hands'>> = {}): FakeMac {
  const clock = createFakeClock();
  let nextPid = FIRST_PID;
  let nextWindowId = 100;
  const mac: FakeMac = {
    displays: [{ id: 1, name: 'Built-in Retina Display', bounds: { x: 0, y: 0, width: 1512, height: 982 }, scale: 2 }],
    session: { onConsole: true, locked: false },
    grants: { screenRecording: true, accessibility: true },
    installed: [],
    staleRegistrations: {},
    opensAddresses: null,
    processes: [],
    frontmostPid: null,
    windows: [],
    captures: new Map(),
    callCostMs: 0,
    ...parts,
    clock,
    hands: createFakeHands(clock.now()),
    launch: (app) => {
      const process: FakeProcess = { pid: nextPid++, app, hung: false, menuBar: null, contextMenus: [], awake: null };
      mac.processes.push(process);
      showWindow(mac, process, () => nextWindowId++);
      if (app.launch === undefined || (typeof app.launch === 'object' && !('frontmost' in app.launch))) {
        mac.activate(process.pid);
      }
      if (app.launch === 'dies') mac.quit(process.pid);
      return process;
    },
    quit: (pid) => {
      mac.processes = mac.processes.filter((process) => process.pid !== pid);
      mac.windows = mac.windows.filter((window) => window.pid !== pid);
      if (mac.frontmostPid === pid) mac.frontmostPid = mac.windows[0]?.pid ?? null;
    },
    askToQuit: (pid) => {
      const process = mac.processOf(pid);
      if (process === undefined || process.app.whenAskedToQuit === 'is unreachable') return false;
      if (!process.hung) respond(mac, process, () => nextWindowId++);
      return true;
    },
    activate: (pid) => {
      if (mac.processOf(pid)?.app.policy === 'prohibited') return;
      mac.frontmostPid = pid;
      const own = mac.windows.filter((window) => window.pid === pid);
      mac.windows = [...own, ...mac.windows.filter((window) => window.pid !== pid)];
    },
    processOf: (pid) => mac.processes.find((process) => process.pid === pid),
  };
  return mac;
}

/** The file's name without its ending, as `open -a` takes it. */
export function fileName(app: FakeApp): string {
  return app.path.slice(app.path.lastIndexOf('/') + 1).replace(/\.app$/, '');
}

/** The app's name in the Finder and the menu bar. */
export function shownName(app: FakeApp): string {
  return app.displayName ?? app.bundleName ?? fileName(app);
}

function showWindow(mac: FakeMac, { pid, app }: FakeProcess, nextId: () => number): void {
  const { window, launch } = app;
  if (window === undefined) return;
  const show = () => mac.windows.unshift({ ...window, id: nextId(), pid });
  if (typeof launch === 'object' && 'windowAfterMs' in launch) mac.clock.after(launch.windowAfterMs, show);
  else show();
}

function respond(mac: FakeMac, { pid, app }: FakeProcess, nextId: () => number): void {
  const { whenAskedToQuit: wish } = app;
  const endsQuietly = typeof wish === 'object' && 'endsAfterMs' in wish;
  if (wish !== undefined && !endsQuietly) showSheet(mac, pid, nextId());
  if (wish === undefined) mac.quit(pid);
  else if (typeof wish === 'object') {
    mac.clock.after('endsAfterMs' in wish ? wish.endsAfterMs : wish.notesForMs, () => mac.quit(pid));
  }
}

/** In the window server a sheet is a window of its own, without a title, over the one it hangs on. */
function showSheet(mac: FakeMac, pid: number, id: number): void {
  const under = mac.windows.find((window) => window.pid === pid)?.bounds ?? { x: 0, y: 0, width: 800, height: 600 };
  const bounds = { x: under.x + under.width / 2 - 130, y: under.y + 40, width: 260, height: 180 };
  mac.windows.unshift({ id, pid, title: '', bounds, element: null });
}

function createFakeClock(): FakeClock {
  let nowMs = 1_750_000_000_000;
  let later: { atMs: number; change: () => void }[] = [];
  return {
    now: () => nowMs,
    advance: (byMs) => {
      nowMs += byMs;
      const due = later.filter(({ atMs }) => atMs <= nowMs);
      later = later.filter(({ atMs }) => atMs > nowMs);
      for (const { change } of due) change();
    },
    after: (delayMs, change) => {
      later.push({ atMs: nowMs + delayMs, change });
    },
  };
}
