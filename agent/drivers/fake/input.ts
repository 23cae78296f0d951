import { setTimeout as pause } from 'node:timers/promises';
import { parseChord } from '../../../src/contract/key-chords.ts';
import type { Point } from '../../../src/contract/picture-frames.ts';
import type { ResolvedApp, ScreenWindow } from '../../../src/contract/screen.ts';
import { webAddress } from '../../../src/contract/web-address.ts';
import { refuseOpener } from '../apps/resolved-risk.ts';
import { documentsSeen } from '../hands/focus-documents.ts';
import { BY_PERSON, inputDone, refused, stoppedInput } from '../hands/input-outcome.ts';
import { unwantedCharacter } from '../hands/unwanted-character.ts';
import type { Delivery, InputDriver, InputFailed, InputOutcome, Sighting, SightReference } from '../input.ts';
import type { Attempt } from '../outcome.ts';
import { withinDeadline } from '../stopping.ts';

/** A desktop in memory: its windows, its text field and the events it has seen. Tests change it. */
export type FakeInputDesktop = {
  size: { width: number; height: number };
  windows: ScreenWindow[];
  focus: Sighting;
  field: string;
  clipboard: string;
  /** One line for each event, as `press 1 at 3,4`. */
  seen: Pick<string[], 'push'>;
  down: Set<string>;
  /** Called when the person uses the mouse or the keyboard. */
  onPerson: Set<() => void>;
  /** The app that opens addresses, if one is set. */
  opener?: ResolvedApp;
  /** The page that a window of a browser shows. */
  page?: string;
  /** It changes without end. */
  isRestless?: boolean;
  /** Where references lead; without it all lead to the focus. */
  sight?(reference: SightReference): Sighting | undefined;
};

const STEP_MS = 4;
const WAIT_STEP_MS = 10;

export function createFakeInput(desktop: FakeInputDesktop): InputDriver {
  const hand = createHand(desktop);
  const sight: InputDriver['sight'] = async (reference) => {
    const data = desktop.sight === undefined ? desktop.focus : desktop.sight(reference);
    return data === undefined
      ? refused({ code: 'target_gone', message: 'There is nothing there.' })
      : { ok: true, data };
  };
  return {
    sight,
    findControl: async () => refused({ code: 'target_gone', message: 'There is nothing there.' }),
    focusDocuments: (attempt) => documentsSeen(sight, attempt),
    ...pointerOf(desktop, hand),
    ...keysOf(desktop, hand),
    ...windowsOf(desktop),
    ...othersOf(desktop, hand),
    close: async () => undefined,
  };
}

type Hand = ReturnType<typeof createHand>;

/** Runs one input. It ends when the person moves, and lets go of everything. */
function createHand(desktop: FakeInputDesktop) {
  async function act<Data>(
    attempt: Attempt,
    work: (signal: AbortSignal) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>> {
    const byPerson = new AbortController();
    const interrupt = () => byPerson.abort(BY_PERSON);
    const signal = AbortSignal.any([withinDeadline(attempt), byPerson.signal]);
    if (signal.aborted) return stoppedInput(signal);
    const changed = (await attempt.lastLook?.()) ?? null;
    if (changed !== null) return refused(changed);
    desktop.onPerson.add(interrupt);
    try {
      return await work(signal);
    } finally {
      desktop.onPerson.delete(interrupt);
      for (const held of desktop.down) desktop.seen.push(`release ${held}`);
      desktop.down.clear();
    }
  }
  const see = (...lines: string[]) => {
    desktop.seen.push(...lines);
    return inputDone('Done.', { isConfirmed: true, data: {} });
  };
  return { act, see };
}

function pointerOf(
  desktop: FakeInputDesktop,
  { act, see }: Hand,
): Pick<InputDriver, 'movePointer' | 'click' | 'drag' | 'scroll'> {
  const offScreen = (points: readonly Point[]) => {
    const { width, height } = desktop.size;
    const out = points.find(({ x, y }) => !(x >= 0 && x < width && y >= 0 && y < height));
    return out === undefined
      ? undefined
      : refused({ code: 'coordinates_off_screen', message: `Expected a point on a display, got ${at(out)}.` });
  };
  return {
    movePointer: ({ to }, attempt) => act(attempt, async () => offScreen([to]) ?? see(`move to ${at(to)}`)),
    click: ({ at: point, button = 'left', count = 1 }, attempt) =>
      act(attempt, async () => {
        const clicks = Array.from({ length: count }, () => [`press ${button} at ${at(point)}`, `release ${button}`]);
        return offScreen([point]) ?? see(...clicks.flat());
      }),
    drag: ({ path, button = 'left' }, attempt) =>
      act(attempt, async (signal) => {
        const [start] = path;
        const refusal = offScreen(path);
        if (refusal !== undefined || start === undefined) return refusal ?? unsupported();
        desktop.down.add(button);
        see(`press ${button} at ${at(start)}`);
        for (const point of path.slice(1)) {
          await pause(STEP_MS, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return stoppedInput(signal, 'The button was pressed, and was let go on the way.');
          see(`move to ${at(point)}`);
        }
        return see();
      }),
    scroll: ({ at: point, dx, dy }, attempt) =>
      act(attempt, async () => offScreen([point]) ?? see(`scroll ${dx},${dy} at ${at(point)}`)),
  };
}

function keysOf(desktop: FakeInputDesktop, { act, see }: Hand): Pick<InputDriver, 'pressKeys' | 'typeText'> {
  return {
    pressKeys: ({ keys, holdMs = 0 }, attempt) =>
      act(attempt, async (signal) => {
        const chord = parseChord(keys);
        if ('fault' in chord) return refused({ code: 'invalid_target', message: chord.fault });
        desktop.down.add(keys);
        see(`press ${keys}`);
        await pause(holdMs, undefined, { signal }).catch(() => undefined);
        return signal.aborted ? stoppedInput(signal, 'The keys were held for a shorter time.') : see();
      }),
    typeText: (wish, attempt) =>
      act(attempt, async () => {
        const fault = unwantedCharacter(wish);
        if (fault !== undefined) return refused({ code: 'invalid_target', message: fault });
        if (desktop.focus.element?.isPassword)
          return refused({ code: 'invalid_target', message: 'The keyboard is in a password field.' });
        desktop.field = wish.clear === true ? wish.text : desktop.field + wish.text;
        const data = { typedCharacters: [...wish.text].length };
        return inputDone('Typed.', { isConfirmed: true, data });
      }),
  };
}

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

function windowsOf(desktop: FakeInputDesktop): Windows {
  const onWindow = async (windowId: string, attempt: Attempt, change: (window: ScreenWindow) => void) => {
    const window = desktop.windows.find(({ id }) => id === windowId);
    if (window === undefined)
      return refused({ code: 'target_gone', message: 'Expected the id of a window; there is none with it.' });
    const changed = (await attempt.lastLook?.()) ?? null;
    if (changed !== null) return refused(changed);
    change(window);
    return inputDone('Done.', { isConfirmed: true, data: {}, safeToRepeat: true });
  };
  return {
    listWindows: async () => ({
      ok: true,
      details: 'The windows.',
      effect: 'none',
      data: { windows: desktop.windows },
      delivered: 'yes',
      safeToRepeat: true,
    }),
    windowPlaces: async () => desktop.windows,
    focusWindow: ({ windowId }, attempt) =>
      onWindow(windowId, attempt, () => {
        for (const window of desktop.windows) window.focused = window.id === windowId;
      }),
    moveWindow: ({ windowId, bounds }, attempt) =>
      onWindow(windowId, attempt, (window) => Object.assign(window, { bounds })),
    minimizeWindow: ({ windowId }, attempt) =>
      onWindow(windowId, attempt, (window) => Object.assign(window, { onScreen: false })),
    async closeWindow({ windowId }, attempt) {
      const outcome = await onWindow(windowId, attempt, (window) => {
        desktop.windows = desktop.windows.filter((each) => each !== window);
      });
      return outcome.ok ? { ...outcome, safeToRepeat: false } : outcome;
    },
  };
}

type Others = Pick<
  InputDriver,
  | 'setValue'
  | 'actOnElement'
  | 'invokeMenu'
  | 'waitFor'
  | 'settle'
  | 'opener'
  | 'page'
  | 'openUrl'
  | 'readClipboard'
  | 'writeClipboard'
>;

function othersOf(desktop: FakeInputDesktop, { act, see }: Hand): Others {
  return {
    setValue: ({ value }, attempt) =>
      act(attempt, async () => {
        desktop.field = value;
        return inputDone('The value was set.', { isConfirmed: true, data: {}, safeToRepeat: true });
      }),
    actOnElement: async () => unsupported(),
    invokeMenu: async () => unsupported(),
    waitFor: ({ windowTitle, gone = false }, attempt) =>
      act(attempt, async (signal) => {
        if (windowTitle === undefined)
          return refused({ code: 'invalid_target', message: 'Expected a window title to wait for.' });
        const isThere = () => desktop.windows.some(({ title }) => title.includes(windowTitle));
        while (isThere() === gone && !signal.aborted) await pause(WAIT_STEP_MS);
        if (signal.aborted) return stoppedInput(signal);
        return { ok: true, details: 'It is so.', effect: 'none', data: {}, delivered: 'yes', safeToRepeat: true };
      }),
    settle: async () => desktop.isRestless !== true,
    opener: async () => desktop.opener ?? null,
    page: async () => desktop.page ?? '',
    openUrl: ({ url }, attempt) =>
      act(attempt, async () => {
        const address = webAddress(url);
        if ('fault' in address) return refused({ code: 'invalid_target', message: address.fault });
        const change = refuseOpener(address.scheme, desktop.opener ?? null, attempt);
        return change === null ? see(`open ${address.url}`) : refused(change);
      }),
    readClipboard: async () => ({
      ok: true,
      details: 'Read.',
      effect: 'none',
      data: { text: desktop.clipboard },
      delivered: 'yes',
      safeToRepeat: true,
    }),
    writeClipboard: async ({ text }) => {
      desktop.clipboard = text;
      return inputDone('Written.', { isConfirmed: true, data: {}, safeToRepeat: true });
    },
  };
}

const at = ({ x, y }: Point) => `${Math.floor(x)},${Math.floor(y)}`;

const unsupported = (): InputFailed & Delivery =>
  refused({ code: 'not_supported', message: 'The desktop in memory has no elements.' });
