import { expect, onTestFinished, test, vi } from 'vitest';
import { openUserInterface } from '../../src/electron/user-interface.ts';
import type { PersonView } from '../../src/services/person-door.ts';
import { createFakeElectron } from './electron/surface.ts';

/** A user interface whose daemon can be told to fail while its state is read. */
function openOn(state: { view: () => PersonView; steps?: () => [] }) {
  const electron = createFakeElectron({ wasOpenedAtLogin: true });
  const logged: string[] = [];
  const note = (...parts: unknown[]) => void logged.push(String(parts.at(-1)));
  let changed = () => undefined as unknown;
  const unused = () => {
    throw new Error('not part of this test');
  };
  openUserInterface({
    electron: electron.surface,
    mac: { screenNow: async () => undefined, requestCapture: async () => undefined, relaunch: () => false },
    paths: { preload: '', agent: '', trayImage: (name) => `${name}.png` },
    settings: { port: 0, dataDirectory: '/nowhere', logLevel: 'silent', rateLimits: 'off', allowOsUsers: [] },
    log: { info: note, warn: note, error: note },
    environment: {},
    platform: 'darwin',
    words: [],
    doors: { open: () => undefined, watch: () => undefined },
    touchId: { isAvailable: () => false, prove: unused },
    looks: { steps: state.steps ?? (() => []), lookAgain: async () => [] },
    daemon: {
      port: 1,
      dashboardAddress: 'http://127.0.0.1:1/',
      createSignInCode: unused,
      isSignedIn: unused,
      noteSelfApproval: unused,
      screen: unused,
      close: unused,
      person: {
        openSession: unused,
        closeSession: unused,
        spendSignInCode: unused,
        view: () => state.view(),
        pause: unused,
        resume: unused,
        sentenceOf: unused,
        callTaken: unused,
        touched: unused,
        lookAgain: unused,
        onChange(listener) {
          changed = listener;
          return () => undefined;
        },
      },
    },
  });
  return { electron, logged, changed: () => changed() };
}

const view = (running: number): PersonView => ({
  status: {
    paused: false,
    locked: false,
    agent: 'online',
    waiting: 0,
    running,
    underWay: [],
    requesters: [],
    lastEventId: '0',
  },
  prompts: [],
  permissions: null,
});
const broken = () => {
  throw new Error('disk I/O error');
};

test('a state that cannot be read leaves the icon as it was, is logged, and the next change brings it up to date', () => {
  const state = { view: () => view(1) };
  const { electron, logged, changed } = openOn(state);
  expect(electron.tray.labels()[0]).toBe('1 running');
  state.view = broken;
  expect(changed).not.toThrow();
  expect([electron.tray.labels()[0], logged]).toEqual([
    '1 running',
    ['the icon and the menu could not be brought up to date'],
  ]);
  state.view = () => view(0);
  changed();
  expect(electron.tray.labels()[0]).toBe('Ready');
});

test('the permissions are read again five seconds after they were read, and not sooner', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const steps = vi.fn((): [] => []);
  const { changed } = openOn({ view: () => view(1), steps });
  vi.advanceTimersByTime(4_999);
  changed();
  expect(steps).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  changed();
  expect(steps).toHaveBeenCalledTimes(2);
});

test('a start whose state cannot be read still has an icon', () => {
  const { electron, logged } = openOn({ view: broken });
  expect([electron.tray.shown.isThere, logged.length]).toEqual([true, 1]);
});
