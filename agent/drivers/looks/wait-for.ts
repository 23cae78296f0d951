import { setTimeout as pause } from 'node:timers/promises';
import { folded } from '../../../src/contract/near-names.ts';
import type { ScreenDescription } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { refused, stoppedInput, told } from '../hands/input-outcome.ts';
import type { InputOutcome, WaitForWish } from '../input.ts';
import type { Attempt, Failed } from '../outcome.ts';
import { withinDeadline } from '../stopping.ts';

const LOOK_EVERY_MS = 100;

/** Looks at the screen again and again. Only a wait for a text reads the contents of the windows. */
export function createWaitFor(describeScreen: Driver['describeScreen']) {
  return async (wish: WaitForWish, attempt: Attempt): Promise<InputOutcome> => {
    const { gone = false, stableMs = 0 } = wish;
    const wanted = [wish.windowTitle, wish.element?.name, wish.text].filter((part) => part !== undefined);
    if (wanted.length !== 1 || wanted[0] === '') return refused(UNCLEAR);
    const signal = withinDeadline(attempt);
    const look = () => describeScreen(wish.text === undefined ? {} : { contents: true }, { ...attempt, signal });
    const failed = await untilStable({
      look,
      isSo: (seen) => isSeen(seen) && isThere(seen, wish) !== gone,
      stableMs,
      signal,
    });
    if (signal.aborted) return stoppedInput(signal);
    return failed === undefined ? told(gone ? 'It is gone.' : 'It is there.', {}) : refused(failed);
  };
}

type Watch = {
  look(): ReturnType<Driver['describeScreen']>;
  isSo(seen: ScreenDescription): boolean;
  stableMs: number;
  signal: AbortSignal;
};

async function untilStable({ look, isSo, stableMs, signal }: Watch): Promise<Failed | undefined> {
  let sinceMs: number | undefined;
  while (!signal.aborted) {
    const outcome = await look();
    if (!outcome.ok) return outcome;
    const nowMs = performance.now();
    sinceMs = isSo(outcome.data) ? (sinceMs ?? nowMs) : undefined;
    if (sinceMs !== undefined && nowMs - sinceMs >= stableMs) return undefined;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** A screen that is off, locked or not described shows no window either. */
function isSeen({ displays, degradedReasons }: ScreenDescription): boolean {
  return displays.length > 0 && !degradedReasons.some(({ code }) => UNSEEN.has(code));
}

const UNSEEN: ReadonlySet<string> = new Set(['display_unavailable', 'desktop_unreadable']);

function isThere({ windows, elements, text }: ScreenDescription, wish: WaitForWish): boolean {
  const holds = (told: string, wanted: string) => folded(told).includes(folded(wanted));
  const { windowTitle, element, text: words } = wish;
  if (windowTitle !== undefined) return windows.some(({ title, onScreen }) => onScreen && holds(title, windowTitle));
  if (element !== undefined)
    return elements.some(({ role, name }) => (element.role ?? role) === role && holds(name, element.name));
  if (words === undefined) return false;
  const said = [...elements.flatMap(({ name, value = '' }) => [name, value]), ...text.map((line) => line.text)];
  return said.some((each) => holds(each, words));
}

const UNCLEAR = {
  code: 'invalid_target',
  message: 'Expected one of a window title, an element and a text to wait for.',
} as const;
