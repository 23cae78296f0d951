import type {
  InputResult,
  InvokeMenuParameters,
  MoveWindowParameters,
  WindowList,
  WindowParameters,
} from '../../src/contract/hands.ts';
import { showsDashboard } from '../../src/contract/own-window.ts';
import { isHandrail } from '../../src/contract/sensitive-apps.ts';
import type { Driver } from '../drivers/driver.ts';
import type { InputDriver, InputOutcome } from '../drivers/input.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { judgedWindow } from '../targets/judged-targets.ts';
import { recheck } from '../targets/recheck.ts';
import { lookingAt, OWN } from './aim.ts';
import { inputResult, plain } from './input-result.ts';

type Answer = Promise<Outcome<InputResult>>;

type Act<Wish> = (input: InputDriver, wish: Wish, attempt: Attempt) => Promise<InputOutcome>;

/** Changes only the window that was judged. `hidden`: it may also be minimized. */
function onJudgedWindow<Wish extends { windowId: string }>(
  act: Act<Wish>,
  { hidden }: { hidden: boolean } = { hidden: true },
): (driver: Driver, wish: Wish, attempt: Attempt) => Answer {
  return async (driver, wish, attempt) => {
    const look = () => lookAt(driver, { windowId: wish.windowId, hidden }, attempt);
    return inputResult(await act(driver.input(), wish, lookingAt(attempt, look)));
  };
}

async function lookAt(
  driver: Driver,
  wish: { windowId: string; hidden: boolean },
  attempt: Attempt,
): Promise<Failed | null> {
  const { windowId } = wish;
  const judged = judgedWindow(attempt, windowId);
  const found = await driver.resolveWindow(wish, attempt);
  if (!found.ok) return found;
  const { app, identity } = found.data;
  const names = [app, identity?.appName ?? '', ...(identity?.alsoKnownAs ?? [])];
  if (names.some(isHandrail) || showsDashboard(found.data.title, names)) return OWN;
  return recheck(judged && { kind: 'window', windowId, window: judged }, {
    kind: 'window',
    windowId,
    window: found.data,
  });
}

export const focusWindow = onJudgedWindow<WindowParameters>((input, ...work) => input.focusWindow(...work));
export const moveWindow = onJudgedWindow<MoveWindowParameters>((input, ...work) => input.moveWindow(...work));
export const minimizeWindow = onJudgedWindow<WindowParameters>((input, ...work) => input.minimizeWindow(...work));
export const closeWindow = onJudgedWindow<WindowParameters>((input, ...work) => input.closeWindow(...work));
export const invokeMenu = onJudgedWindow<InvokeMenuParameters>((input, ...work) => input.invokeMenu(...work), {
  hidden: false,
});

export async function listWindows(driver: Driver, _none: object, attempt: Attempt): Promise<Outcome<WindowList>> {
  return plain(await driver.input().listWindows(attempt));
}
