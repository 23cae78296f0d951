import type { Place } from '../../src/contract/hands.ts';
import type { Point } from '../../src/contract/picture-frames.ts';
import { type ControlTarget, placeReference, type TargetReference } from '../../src/contract/targets.ts';
import type { InputDriver, SightReference } from '../drivers/input.ts';
import type { Attempt, Failed } from '../drivers/outcome.ts';
import { controlSeen } from '../targets/control.ts';
import { sightBy } from '../targets/element-ids.ts';
import { judgedControl } from '../targets/judged-targets.ts';
import { recheck } from '../targets/recheck.ts';

/** A control that was judged, with the place for the pointer, and the look that an input takes at it immediately before its effect. `found`: at the element that a name led to by then. */
export type Aim = {
  ok: true;
  target: ControlTarget;
  at: Point | null;
  look(found?: SightReference): Promise<Failed | null>;
};

type Hands = { input: InputDriver; attempt: Attempt };

/** Nothing is aimed at but the control that was judged for the reference. */
export function aimAt(reference: TargetReference, { input, attempt }: Hands): Aim | Failed {
  const target = judgedControl(attempt, reference);
  if (target === undefined) return UNJUDGED;
  const look = async (at: SightReference = sightOf(target)) => {
    await attempt.pictured;
    const found = await sightBy(input, at, attempt);
    if (!found.ok) return found;
    const control = await controlSeen(found.data);
    if (control.isOwn) return OWN;
    const changed = recheck(target, { kind: target.kind, control }) ?? (found.data.isCovered ? COVERED : null);
    return changed && { ...changed, isPrivate: control.isPassword };
  };
  return { ok: true, target, at: pointOf(target), look };
}

/** The same, with a place for the pointer. */
export function pointAt(place: Place, hands: Hands): (Aim & { at: Point }) | Failed {
  const aim = aimAt(placeReference(place) ?? { kind: 'focus' }, hands);
  if (!aim.ok) return aim;
  return aim.at === null ? NO_PLACE : { ...aim, at: aim.at };
}

function sightOf(target: ControlTarget): SightReference {
  return target.kind === 'point' ? { kind: 'point', point: target.at } : target;
}

/** The point itself, or the middle of the element. */
function pointOf(target: ControlTarget): Point | null {
  if (target.kind === 'point') return target.at;
  const { bounds } = target.control;
  return bounds === null ? null : { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
}

const UNJUDGED: Failed = {
  ok: false,
  code: 'target_changed',
  message: 'Nobody has judged what is there; nothing was done.',
  fix: 'Submit it again.',
  sideEffect: 'none',
};
export const OWN: Failed = {
  ok: false,
  code: 'invalid_target',
  message: 'This is Handrail itself, which can never be the target of an action. Nothing was done.',
  sideEffect: 'none',
};
const COVERED: Failed = {
  ok: false,
  code: 'target_changed',
  message: 'Another window or an open menu covers the element. Nothing was done.',
  fix: 'Bring its window to the front, or close the menu.',
  sideEffect: 'none',
};
const NO_PLACE: Failed = {
  ok: false,
  code: 'invalid_target',
  message: 'Expected an element with a place on the screen; this one has none. Nothing was done.',
  fix: 'Scroll to it, and look again.',
  sideEffect: 'none',
};

type Look = () => Promise<Failed | null>;

/**
 * The attempt with the look that is taken immediately before its effect. Without an objection the effect begins. `lookBetween` is taken
 * between its keys.
 */
export function lookingAt(attempt: Attempt, look: Look, lookBetween?: Look): Attempt {
  return {
    ...attempt,
    lookBetween,
    async lastLook() {
      const objection = await look();
      if (objection === null) attempt.begin?.();
      return objection;
    },
  };
}
