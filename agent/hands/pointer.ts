import { isSameBounds } from '../../src/contract/bounds.ts';
import {
  type ClickParameters,
  type DragParameters,
  type InputResult,
  type MovePointerParameters,
  type ScrollParameters,
  TURNED_BY_WHEEL,
} from '../../src/contract/hands.ts';
import type { Point } from '../../src/contract/picture-frames.ts';
import type { Driver } from '../drivers/driver.ts';
import type { SightedElement } from '../drivers/input.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { type Aim, lookingAt, pointAt } from './aim.ts';
import { inputResult } from './input-result.ts';

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
    button,
    ...(isCount(count) && { count }),
    modifiers,
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
    button,
    modifiers,
  };
  const look = async () => (await start.look()) ?? (await end.look());
  return inputResult(await input.drag(wish, lookingAt(attempt, look)));
}

export async function scroll(driver: Driver, { dx = 0, dy = 0, ...place }: ScrollParameters, attempt: Attempt): Answer {
  const input = driver.input();
  const aim = pointAt(place, { input, attempt });
  if (!aim.ok) return aim;
  const look = async () => (await aim.look()) ?? (await turnsOther(aim, { input, attempt }));
  return inputResult(await input.scroll({ at: aim.at, dx, dy }, lookingAt(attempt, look)));
}

type Turning = { input: ReturnType<Driver['input']>; attempt: Attempt };

/** The wheel turns what lies under the pointer. In the middle of an element that may be a field that nobody has judged. */
async function turnsOther({ at, target }: AimedAt, { input, attempt }: Turning): Promise<Failed | null> {
  if (target.kind === 'point') return null;
  const found = await input.sight({ kind: 'point', point: at }, attempt);
  if (!found.ok) return found;
  const { element } = found.data;
  const isTurned = element !== null && TURNED_BY_WHEEL.has(element.role);
  return isTurned && !isJudged(element, target) ? OTHER_TURNED : null; // guard N50-1
}

type AimedAt = Pick<Aim, 'target'> & { at: Point };

function isJudged({ role, name, bounds }: SightedElement, { control }: Aim['target']): boolean {
  return role === control.role && name === control.name && isSameBounds(bounds, control.bounds);
}

const OTHER_TURNED: Failed = {
  ok: false,
  code: 'invalid_target',
  message: 'In the middle of this element lies a field that the wheel would change. Nothing was done.',
  fix: 'Name another element or point to scroll; to change the field, name the field itself.',
  sideEffect: 'none',
};

function isCount(count: number | undefined): count is 1 | 2 | 3 {
  return count === 1 || count === 2 || count === 3;
}
