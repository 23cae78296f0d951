import type { KeyChord } from '../../../../src/contract/key-chords.ts';
import type { Driver } from '../../driver.ts';
import { type ClipboardDesk, createClipboardActions } from '../../hands/clipboard.ts';
import { createElementActions } from '../../hands/element-actions.ts';
import { createFindControl } from '../../hands/find-control.ts';
import { documentsSeen } from '../../hands/focus-documents.ts';
import type { KeyGroup } from '../../hands/judged-keys.ts';
import { createOpenUrl } from '../../hands/open-url.ts';
import { createPointer } from '../../hands/pointer.ts';
import { type ChordKeys, createPressKeys } from '../../hands/press-keys.ts';
import { createTypeText } from '../../hands/type-text.ts';
import type { InputDriver } from '../../input.ts';
import { createWaitFor } from '../../looks/wait-for.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { createAppsOfWindows } from '../window-identity.ts';
import type { X11 } from '../x11.ts';
import { type ActingNeeds, createLinuxActing, type LinuxActing, type LinuxHands } from './acting.ts';
import { MOST_CLIPBOARD_BYTES } from './clipboard.ts';
import { watchChanges, windowsOf } from './effect.ts';
import { elementDesk } from './elements.ts';
import type { FakeEvent } from './fake-events.ts';
import { findDesk } from './find-desk.ts';
import { knownDocuments } from './focus-documents.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, type Stroke, symbolOf } from './keyboard.ts';
import { type OpenUrlNeeds, openUrlDesk } from './open-url.ts';
import { around, pointerDesk } from './pointer.ts';
import { type SightNeeds, sightOf } from './sight.ts';
import { pageOf } from './surroundings.ts';
import { createClipboards, findWay, type TypeTextNeeds } from './type-text.ts';
import { eventsOf } from './typing.ts';
import { createWindowActions } from './window-desk.ts';

/** So long nothing may change. */
const QUIET_MS = 100;

const FIRST_FUNCTION_KEY = 0xffbe;

export type LinuxInputNeeds = Omit<SightNeeds, 'appOf' | 'latestFocus' | 'typing'> &
  ActingNeeds &
  OpenUrlNeeds & { describeScreen: Driver['describeScreen'] };

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
