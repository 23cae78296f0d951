import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { KeyChord } from '../../../../src/contract/key-chords.ts';
import type { ResolvedApp } from '../../../../src/contract/screen.ts';
import type { WebAddress } from '../../../../src/contract/web-address.ts';
import { resolvedApp } from '../../apps/resolved-risk.ts';
import type { Driver } from '../../driver.ts';
import { runProgram } from '../../exec.ts';
import { type ClipboardDesk, createClipboardActions } from '../../hands/clipboard.ts';
import { createElementActions } from '../../hands/element-actions.ts';
import { createFindControl } from '../../hands/find-control.ts';
import { documentsSeen } from '../../hands/focus-documents.ts';
import { refused, told } from '../../hands/input-outcome.ts';
import type { KeyGroup } from '../../hands/judged-keys.ts';
import { type ChordKeys, createPressKeys, createTypeText } from '../../hands/keyboard.ts';
import { createOpenUrl, type OpenUrlDesk } from '../../hands/open-url.ts';
import { createPointer } from '../../hands/pointer.ts';
import { createWindowChanges, type WindowDesk, type WindowWish } from '../../hands/window-changes.ts';
import type { InputDriver } from '../../input.ts';
import { createWaitFor } from '../../looks/wait-for.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { type DesktopEntries, type DesktopEntry, isExecutable, takesAddress } from '../desktop-entries.ts';
import { identityOfEntry } from '../entry-risks.ts';
import { appEnvironment, launch } from '../launch.ts';
import { createAppsOfWindows, namedWindows, placeOf } from '../window.ts';
import type { XWindow } from '../x-window.ts';
import { withoutDisplay, type X11 } from '../x11.ts';
import {
  type ActingNeeds,
  createLinuxActing,
  type LinuxActing,
  type LinuxHands,
  pauseUnless,
  watchChanges,
  windowsOf,
} from './acting.ts';
import { MOST_CLIPBOARD_BYTES } from './clipboard.ts';
import { elementDesk } from './elements.ts';
import { findDesk } from './find-desk.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, type Stroke, symbolOf } from './keyboard.ts';
import { knownDocuments } from './keyboard-focus.ts';
import { around, pointerDesk } from './pointer.ts';
import type { FakeEvent } from './seat.ts';
import { type SightNeeds, sightOf } from './sight.ts';
import { pageOf } from './surroundings.ts';
import { createClipboards, eventsOf, findWay, type TypeTextNeeds } from './type-text.ts';

/** So long nothing may change. */
const QUIET_MS = 100;

const FIRST_FUNCTION_KEY = 0xffbe;

/** The programs that open an address where the app for it is not known; both take it as one argument. */
const OPENERS: readonly (readonly [program: string, ...args: string[]])[] = [['xdg-open'], ['gio', 'open']];

type OpenUrlNeeds = {
  x11: X11;
  entries: DesktopEntries;
  environment: NodeJS.ProcessEnv;
  /** For startup notification: a text nobody else uses. */
  uniqueId(): string;
};

type Opener = { entry: DesktopEntry; app: ResolvedApp };
type OpenerSources = { entries: DesktopEntries; environment: NodeJS.ProcessEnv; signal: AbortSignal };

const QUERY_MS = 2_000;

/**
 * The app that is set to open the addresses of a scheme, as `xdg-mime` tells it to `xdg-open`. Null where none is set, and for an app that
 * Handrail could not start itself with an address: one in a terminal, one that only D-Bus starts. Mail is not looked up.
 */
export async function openerOf(scheme: WebAddress['scheme'], sources: OpenerSources): Promise<Opener | null> {
  if (scheme === 'mailto') return null;
  const { entries, environment, signal } = sources;
  const answer = await runProgram({
    program: 'xdg-mime',
    args: ['query', 'default', `x-scheme-handler/${scheme}`],
    timeoutMs: QUERY_MS,
    environment: appEnvironment(environment),
    signal,
  });
  if (answer.kind !== 'exited' || answer.exitCode !== 0) return null;
  const file = answer.stdout.trim();
  const entry = (await entries.list()).find(({ id }) => `${id}.desktop` === file);
  if (entry === undefined || entry.terminal || !takesAddress(entry)) return null;
  return { entry, app: resolvedApp(await identityOfEntry(entry, environment)) };
}

function openUrlDesk(needs: OpenUrlNeeds): OpenUrlDesk<Opener> {
  return {
    now: () => performance.now(),
    wait: (ms, signal) => pauseUnless(signal, ms),
    async windows() {
      const desktop = await needs.x11.desktop();
      if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
      return JSON.stringify(desktop.value.windows.map(({ id, title, focused }) => [id, title, focused]));
    },
    openerOf: (scheme, signal) => openerOf(scheme, { ...needs, signal }),
    give: (address, opener) => give(address, opener, needs),
  };
}

async function give({ url }: WebAddress, opener: Opener | null, { environment, uniqueId }: OpenUrlNeeds) {
  if (opener === null) {
    const program = await programThatOpens(environment);
    return program !== undefined && (await start(program, url, environment)) ? null : refused(NO_OPENER);
  }
  const startupId = `handrail-${uniqueId()}`;
  const result = await launch({ entry: opener.entry, startupId, environment, address: url });
  if (result.ok) return null;
  const message = `${opener.app.appName} is set to open the address, but it cannot be started: ${result.reason}.`;
  return refused({ code: 'app_not_found', message });
}

async function programThatOpens(environment: NodeJS.ProcessEnv) {
  for (const opener of OPENERS) if (await isExecutable(opener[0], environment)) return opener;
  return undefined;
}

async function start([program, ...args]: readonly [string, ...string[]], url: string, environment: NodeJS.ProcessEnv) {
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: appEnvironment(environment) });
  const started = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)]);
  child.on('error', () => undefined);
  child.unref();
  return started;
}

const NO_OPENER = {
  code: 'not_supported',
  message: 'Neither xdg-open nor gio could be started to open the address.',
  fix: 'Install xdg-utils.',
} as const;

type LinuxInputNeeds = Omit<SightNeeds, 'appOf' | 'latestFocus' | 'typing'> &
  ActingNeeds &
  OpenUrlNeeds & { describeScreen: Driver['describeScreen'] };

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

function createWindowActions(acting: LinuxActing, { x11, entries }: Pick<SightNeeds, 'x11' | 'entries'>): Windows {
  return {
    async listWindows() {
      const desktop = await x11.desktop();
      if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
      const windows = await namedWindows(desktop.value.windows, await entries.list());
      return told(`There are ${windows.length} windows.`, { windows });
    },
    async windowPlaces() {
      const desktop = await x11.desktop();
      return desktop.ok ? desktop.value.windows.map(placeOf) : [];
    },
    ...createWindowChanges(() => windowDesk(x11), acting),
  };
}

function windowDesk(x11: X11): WindowDesk {
  let revision = 0;
  const look = async (windowId: string) => {
    const desktop = await x11.desktop();
    if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
    revision = desktop.value.revision;
    return desktop.value.windows.find(({ id }) => id === windowId) ?? null;
  };
  return {
    now: () => performance.now(),
    look,
    async ask(windowId, wish) {
      const window = await look(windowId);
      if (window === null) return refused(GONE);
      if ('code' in window) return window;
      const asked = await request(x11, window, wish);
      return asked.ok ? undefined : refused(withoutDisplay(asked.reason));
    },
    untilLater: (signal) => x11.nextChange(revision, signal),
  };
}

function request(x11: X11, window: XWindow, wish: WindowWish) {
  switch (wish.wish) {
    case 'focus':
      return x11.activate(window);
    case 'move':
      return x11.move(window, wish.bounds);
    case 'minimize':
      return x11.minimize(window);
    case 'close':
      return x11.requestClose(window);
  }
}

const GONE = {
  code: 'target_gone',
  message: 'Expected the id of a window; there is none with it.',
  fix: 'List the windows again.',
} as const;

/** Pointer, keyboard and windows of the X server that DISPLAY names. Connects at the first input. */
export function createLinuxInput(sources: LinuxInputNeeds): InputDriver {
  const needs = { ...sources, appOf: createAppsOfWindows(sources), latestFocus: {}, typing: {} };
  const acting = createLinuxActing(needs);
  const clipboardOf = createClipboards();
  const sight: InputDriver['sight'] = (reference, attempt) => sightOf(needs, reference, withinDeadline(attempt));
  return {
    sight,
    findControl: createFindControl(findDesk(needs, sight)),
    async focusDocuments(attempt) {
      const known = await knownDocuments(needs.bus, needs.latestFocus);
      return known === null ? documentsSeen(sight, attempt) : { ok: true, data: known };
    },
    ...createPointer(acting, pointerDesk(needs.x11)),
    pressKeys: createPressKeys(acting, keysOf),
    typeText: createTypeText(acting, findWay({ ...needs, clipboardOf })),
    ...createElementActions(acting, elementDesk(needs)),
    ...createWindowActions(acting, needs),
    waitFor: createWaitFor(needs.describeScreen),
    settle: createSettle(needs),
    async page({ windowId }) {
      const desktop = await needs.x11.desktop();
      const window = desktop.ok ? desktop.value.windows.find(({ id }) => id === windowId) : undefined;
      return window === undefined ? '' : pageOf(needs.bus, window);
    },
    ...createOpenUrl(openUrlDesk(needs)),
    ...createClipboardActions(clipboardDesk(acting, clipboardOf)),
    close: () => acting.close(),
  };
}

function clipboardDesk(acting: LinuxActing, clipboardOf: TypeTextNeeds['clipboardOf']): ClipboardDesk {
  return {
    mostBytes: MOST_CLIPBOARD_BYTES,
    inTurn: (attempt, work) =>
      acting.act(attempt, async ({ seat, objection }) => {
        const { read, write } = await clipboardOf(seat);
        return work({ objection, read, write: async (text) => (await write(text)) && (await read()) === text });
      }),
  };
}

const keysOf: ChordKeys<FakeEvent, LinuxHands> = async (chord, { seat }) => {
  const layout = await seat.layout();
  const stroke = strokeOf(chord, layout);
  return stroke === undefined ? undefined : groupOf(around(eventsOf(stroke), chord.modifiers, layout));
};

/** Shift that the character itself needs is held, too. A character alone is typed, so that no other one may take its place. */
function strokeOf({ key, modifiers }: KeyChord, layout: KeyboardLayout): Stroke | undefined {
  const finder = createKeyFinder(layout);
  const named = (KEYSYMS as Readonly<Record<string, number>>)[key] ?? functionKey(key);
  if (modifiers.some((modifier) => modifier !== 'shift')) return finder.ofShortcut(named ?? symbolOf(key));
  return named === undefined ? finder.ofCharacter(key) : finder.ofSymbol(named);
}

function functionKey(key: string): number | undefined {
  const [, number] = /^f(\d+)$/.exec(key) ?? [];
  return number === undefined ? undefined : FIRST_FUNCTION_KEY + Number(number) - 1;
}

function groupOf(events: readonly FakeEvent[]): KeyGroup<FakeEvent> {
  const end = events.findIndex((event) => event.kind === 'key' && !event.isDown);
  return { press: events.slice(0, end), release: events.slice(end) };
}

/** Waits until neither the windows nor the app in front has changed for a moment. False where that takes longer than the limit. */
export function createSettle({ x11, bus }: { x11: X11; bus: AccessibilityBus }) {
  return async ({ withinMs }: { withinMs: number }, attempt: Attempt): Promise<boolean> => {
    const signal = AbortSignal.any([withinDeadline(attempt), AbortSignal.timeout(withinMs)]);
    let changed = new AbortController();
    const { before, end } = await watchChanges(x11, bus, () => changed.abort());
    let desktop = before;
    let quiet = AbortSignal.timeout(QUIET_MS);
    try {
      while (!signal.aborted && desktop.ok) {
        await x11.nextChange(desktop.value.revision, AbortSignal.any([signal, changed.signal, quiet]));
        const now = await x11.desktop();
        const isOther = changed.signal.aborted || (now.ok && windowsOf(now.value) !== windowsOf(desktop.value));
        desktop = now;
        // A pause of this process alone is no rest: something may have changed in it.
        if (!isOther && quiet.aborted) return true;
        if (!isOther) continue;
        changed = new AbortController();
        quiet = AbortSignal.timeout(QUIET_MS);
      }
      return false;
    } finally {
      end();
    }
  };
}
