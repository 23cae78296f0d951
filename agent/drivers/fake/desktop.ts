import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { ResolvedApp, ScreenElement } from '../../../src/contract/screen.ts';

/** An app on the fake desktop. A windowless app runs and shows nothing; a broken one cannot be started. */
export type FakeApp = {
  name: string;
  bundleId: string;
  kind: 'windowed' | 'windowless' | 'broken';
  /** The app's reaction to a request to close; by default it closes. */
  whenAskedToClose?: { asks: string } | 'nothing';
};

export type FakeWindow = { id: string; app: FakeApp; pid: number; title: string; bounds: Bounds };

export type FakeControl = Pick<ScreenElement, 'role' | 'name' | 'actions'> & {
  /** The text in the window, described only with `contents`. */
  content?: string;
  /** A secret in the window, which no description shows. */
  secret?: string;
};

export const FAKE_DISPLAY: Display = {
  id: 'fake-1',
  name: 'Fake display',
  primary: true,
  bounds: { x: 0, y: 0, width: 640, height: 400 },
  scale: 1,
};

export const FAKE_DOCUMENT = 'Dear diary, the canary sang at noon.';
export const FAKE_PASSWORD = 'correct-horse-7-staple';

const EDITOR: FakeApp = {
  name: 'Text Editor',
  bundleId: 'org.example.TextEditor',
  kind: 'windowed',
  whenAskedToClose: { asks: 'Save diary.txt?' },
};
const VIEWER: FakeApp = { name: 'Viewer', bundleId: 'org.example.Viewer', kind: 'windowed' };
const KEYRING: FakeApp = { name: 'Keyring', bundleId: 'org.example.Keyring', kind: 'windowed' };

/** Sensitive apps, about which the person is asked. */
const TERMINALS: readonly FakeApp[] = ['xterm', 'kitty', 'konsole', 'alacritty', 'foot'].map((name) => ({
  name,
  bundleId: `org.example.${name}`,
  kind: 'windowed',
}));

export const FAKE_APPS: readonly FakeApp[] = [
  EDITOR,
  KEYRING,
  { name: 'Calculator', bundleId: 'org.example.Calculator', kind: 'windowed' },
  { name: 'Notes', bundleId: 'org.example.Notes', kind: 'windowed' },
  { name: 'Stopped Watch', bundleId: 'org.example.StoppedWatch', kind: 'windowed', whenAskedToClose: 'nothing' },
  ...TERMINALS,
  { name: 'Night Light', bundleId: 'org.example.NightLight', kind: 'windowless' },
  { name: 'Torn Shortcut', bundleId: 'org.example.TornShortcut', kind: 'broken' },
];

/** The windows that are open from the start, the front one first. */
export function firstWindows(more = 0): FakeWindow[] {
  return [
    windowOf(EDITOR, 0),
    windowOf(KEYRING, 1),
    ...Array.from({ length: more }, (_, index) => windowOf(VIEWER, 2 + index)),
  ];
}

/** `index` counts the windows ever opened; it decides number, process id and place. */
export function windowOf(app: FakeApp, index: number): FakeWindow {
  const offset = (index % 8) * 20;
  return {
    id: `window-${index + 1}`,
    app,
    pid: 1_000 + index,
    title: app === EDITOR ? `diary.txt – ${app.name}` : app.name,
    bounds: { x: 20 + offset, y: 20 + offset, width: 320, height: 200 },
  };
}

export function controlsOf({ app }: FakeWindow): FakeControl[] {
  const common: FakeControl[] = [
    { role: 'button', name: 'Close', actions: ['press'] },
    { role: 'menuitem', name: 'Help', actions: ['press'] },
  ];
  if (app === EDITOR) return [...common, { role: 'textbox', name: 'Document', actions: [], content: FAKE_DOCUMENT }];
  if (app === KEYRING) return [...common, { role: 'textbox', name: 'Password', actions: [], secret: FAKE_PASSWORD }];
  return common;
}

/** The app of a window by all of its names. */
export function identityIn({ app: { name, bundleId } }: Pick<FakeWindow, 'app'>): ResolvedApp {
  return { appName: name, bundleId, alsoKnownAs: [bundleId], risks: [] };
}
