import type {
  ClickParameters,
  DragParameters,
  InputResult,
  MovePointerParameters,
  ScrollParameters,
} from '../../src/contract/hands.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Attempt, Outcome } from '../drivers/outcome.ts';
import { pointAt } from './aim.ts';
import { lookingAt } from './last-look.ts';
import { inputResult } from './outcome.ts';

type Answer = Promise<Outcome<InputResult>>;

export async function click(
  driver: Driver,
  { button, count, modifiers, ...place }: ClickParameters,
  attempt: Attempt,
): Answer {
  const input = driver.input();
  const aim = pointAt(place, { input, attempt });
  if (!aim.ok) return aim;
  const wish = {
    at: aim.at,
    ...(button !== undefined && { button }),
    ...(isCount(count) && { count }),
    ...(modifiers !== undefined && { modifiers }),
  };
  return inputResult(await input.click(wish, lookingAt(attempt, aim.look)));
}

export async function movePointer(driver: Driver, place: MovePointerParameters, attempt: Attempt): Answer {
  const input = driver.input();
  const aim = pointAt(place, { input, attempt });
  return aim.ok ? inputResult(await input.movePointer({ to: aim.at }, lookingAt(attempt, aim.look))) : aim;
}

/** Both ends are looked at before the button goes down. */
export async function drag(driver: Driver, { from, to, button, modifiers }: DragParameters, attempt: Attempt): Answer {
  const input = driver.input();
  const [start, end] = [pointAt(from, { input, attempt }), pointAt(to, { input, attempt })];
  if (!start.ok) return start;
  if (!end.ok) return end;
  const wish = {
    path: [start.at, end.at],
    ...(button !== undefined && { button }),
    ...(modifiers !== undefined && { modifiers }),
  };
  const look = async () => (await start.look()) ?? (await end.look());
  return inputResult(await input.drag(wish, lookingAt(attempt, look)));
}

export async function scroll(driver: Driver, { dx = 0, dy = 0, ...place }: ScrollParameters, attempt: Attempt): Answer {
  const input = driver.input();
  const aim = pointAt(place, { input, attempt });
  return aim.ok ? inputResult(await input.scroll({ at: aim.at, dx, dy }, lookingAt(attempt, aim.look))) : aim;
}

function isCount(count: number | undefined): count is 1 | 2 | 3 {
  return count === 1 || count === 2 || count === 3;
}
