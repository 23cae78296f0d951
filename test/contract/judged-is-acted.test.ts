import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import type { InputDriver, SightReference } from '../../agent/drivers/input.ts';
import type { Attempt } from '../../agent/drivers/outcome.ts';
import { PERFORMERS } from '../../agent/performers.ts';
import type { Point } from '../../src/contract/frames.ts';
import type { Control } from '../../src/contract/screen.ts';
import { type ControlTarget, referenceKey, type TargetReference } from '../../src/contract/targets.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { control } from '../services/hands.ts';

/** Few numbers, frames and elements, so that many places look alike. */
const number = fc.constantFrom(60, 61);
const point = fc.record({ x: number, y: number, frameId: fc.constantFrom('f1', 'f2') }, { requiredKeys: ['x', 'y'] });
const place = fc.oneof({ arbitrary: point, weight: 4 }, fc.record({ elementId: fc.constantFrom('e1', 'e2') }));

const ACTIONS = fc.oneof(
  fc.record({ from: place, to: place }).map((parameters) => ({ type: 'Drag', parameters })),
  place.map((parameters) => ({ type: 'Click', parameters })),
  place.map((parameters) => ({ type: 'Scroll', parameters: { ...parameters, dy: 1 } })),
  place.map((parameters) => ({ type: 'MovePointer', parameters })),
  fc
    .oneof(place, fc.constant({}))
    .map((parameters) => ({ type: 'TypeText', parameters: { text: 'a', ...parameters } })),
);

/** A control for each reference, at a place of its own. A place in the list is critical by its words. */
function found(references: readonly TargetReference[], critical: ReadonlySet<string>): ControlTarget[] {
  return references.map((reference, index): ControlTarget => {
    const at = { x: 1_000 * (index + 1), y: 500 };
    const name = critical.has(referenceKey(reference)) ? 'Delete everything' : 'Bold';
    const bounds = { x: at.x - 10, y: at.y - 10, width: 20, height: 20 };
    const there: Control = control({ name, bounds, windowId: `0x${index}`, role: 'textbox', isEditable: true });
    if (reference.kind === 'point') return { ...reference, control: there, at };
    if (reference.kind === 'element' || reference.kind === 'focus') return { ...reference, control: there };
    throw new Error(`no place of an input: ${reference.kind}`);
  });
}

/** Performs on a desktop that notes at which places something was done. */
async function acted(
  type: string,
  parameters: Record<string, unknown>,
  targets: readonly ControlTarget[],
): Promise<Point[]> {
  const places: Point[] = [];
  const middleOf = ({ control: { bounds } }: ControlTarget) => ({ x: (bounds?.x ?? 0) + 10, y: (bounds?.y ?? 0) + 10 });
  const seen = ({ control: { role: _role, ...there } }: ControlTarget) => ({
    ...there,
    windowBounds: { x: 0, y: 0, width: 9_000, height: 9_000 },
    element: { ...there, role: 'textbox', elementId: 'e' },
    pages: [],
    pagesBeside: [],
    isCovered: false,
  });
  const done = async (_wish: unknown, attempt: Attempt) => {
    const objection = await attempt.lastLook?.();
    if (objection) return objection;
    return { ok: true, details: 'Done.', effect: 'confirmed', data: { delivered: 'yes', safeToRepeat: false } };
  };
  const noting =
    (pointsOf: (wish: Record<string, Point>) => Point[]) => (wish: Record<string, Point>, attempt: Attempt) => {
      places.push(...pointsOf(wish));
      return done(wish, attempt);
    };
  const input = {
    sight: async (reference: SightReference) => {
      const target = targets.find((each) =>
        reference.kind === 'point' && each.kind === 'point'
          ? each.at.x === reference.point.x
          : each.kind === reference.kind &&
            (each.kind !== 'element' || each.elementId === Reflect.get(reference, 'elementId')),
      );
      return target === undefined ? { ok: true, data: seen(targets[0] ?? failed()) } : { ok: true, data: seen(target) };
    },
    click: noting(({ at }) => (at === undefined ? [] : [at])),
    scroll: noting(({ at }) => (at === undefined ? [] : [at])),
    movePointer: noting(({ to }) => (to === undefined ? [] : [to])),
    drag: noting((wish) => Object(wish).path),
    typeText: async (wish: unknown, attempt: Attempt) => {
      const focus = targets.find(({ kind }) => kind === 'focus');
      if (focus !== undefined) places.push(middleOf(focus));
      return done(wish, attempt);
    },
  } as unknown as InputDriver;
  const driver = async () => ({ input: () => input }) as unknown as Driver;
  const attempt: Attempt = { signal: AbortSignal.timeout(30_000), deadlineMs: 30_000, targets };
  await PERFORMERS.get(type)?.({ parameters, attempt, driver });
  return places;
}

function failed(): never {
  throw new Error('there is no target');
}

test('N25: the places that the agent acts on are the places that the daemon judged, for random actions with many places', async () => {
  const critical = fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 2 });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(ACTIONS, critical, async ({ type, parameters }, marked) => {
      const definition = CATALOGUE.get(type);
      const checked = definition?.check(parameters);
      if (definition === undefined || checked?.ok !== true) throw new Error('the parameters are as described');
      const { references } = checked;
      const keys = new Set(references.filter((_each, index) => marked.includes(index)).map(referenceKey));
      const unique = [...new Map(references.map((each) => [referenceKey(each), each])).values()];
      const targets = found(unique, keys);
      const assessed = definition.assess(parameters, { targets });
      if (!assessed.ok) throw new Error('it can be assessed');
      const places = await acted(type, parameters, targets);
      const touched = places.map(({ x }) => targets[x / 1_000 - 1]?.control.name);
      const isCritical = touched.includes('Delete everything');
      const mayRaise = type !== 'MovePointer' && type !== 'Scroll';
      expect(places.length).toBeGreaterThan(0);
      if (mayRaise)
        expect([type, parameters, assessed.assessment.risk.level === 'high']).toEqual([type, parameters, isCritical]);
      compared += 1;
    }),
    { numRuns: 400 },
  );
  expect(compared).toBe(400);
});
