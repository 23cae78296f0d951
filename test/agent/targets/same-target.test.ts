import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeDriver } from '../../../agent/drivers/fake/driver.ts';
import type { InputDriver } from '../../../agent/drivers/input.ts';
import type { Failed } from '../../../agent/drivers/outcome.ts';
import { judgedFile, judgedWindow } from '../../../agent/targets/judged-targets.ts';
import { keyOf, type Target, type TargetReference } from '../../../src/contract/targets.ts';
import { foundAt } from '../../../src/domain/catalogue/file-target.ts';
import { CATALOGUE } from '../../../src/domain/catalogue.ts';
import { seenIn } from '../../../src/services/targets/targets.ts';
import { control } from '../../services/hands.ts';
import { performBy } from '../perform-by.ts';

const STOPPED: Failed = { ok: false, code: 'busy', message: 'Stopped by the test.', sideEffect: 'none' };

const point = fc.record({ x: fc.constantFrom(60, 61), y: fc.constantFrom(100, 101) });
const place = fc.oneof(
  point,
  fc.record({ frameId: fc.constantFrom('f1', 'f2'), x: fc.constantFrom(60, 61), y: fc.constant(100) }),
  fc.record({ elementId: fc.constantFrom('e1', 'e2', '@1') }),
);
const action = fc.oneof(
  fc.record({ actionType: fc.constant('Drag'), parameters: fc.record({ from: place, to: place }) }),
  fc.record({ actionType: fc.constantFrom('Click', 'MovePointer'), parameters: place }),
  place.map((at) => ({ actionType: 'Scroll', parameters: { ...at, dy: 1 } })),
  fc.oneof(place, fc.constant({})).map((at) => ({ actionType: 'TypeText', parameters: { ...at, text: 'a' } })),
);

/** A control for each reference, told apart by its name and its place. */
function targetOf(reference: TargetReference, index: number): Target {
  const at = { x: 1_000 + index, y: 2_000 + index };
  const found = control({ name: `Control ${index}`, bounds: { ...at, width: 0, height: 0 } });
  if (reference.kind === 'point') return { ...reference, control: found, at };
  if (reference.kind === 'element' || reference.kind === 'focus') return { ...reference, control: found };
  throw new Error(`no control for ${reference.kind}`);
}

/** The places to which the agent would bring the pointer, told by the first input that it begins. */
async function placesUsed(actionType: string, parameters: unknown, targets: readonly Target[]): Promise<number[]> {
  const used: number[] = [];
  const stop = (...at: { x: number }[]) => {
    used.push(...at.map(({ x }) => x));
    return Promise.resolve({ ...STOPPED, delivered: 'no', safeToRepeat: true } as const);
  };
  const input: Partial<InputDriver> = {
    click: ({ at }) => stop(at),
    scroll: ({ at }) => stop(at),
    movePointer: ({ to }) => stop(to),
    drag: ({ path }) => stop(...path),
    typeText: () => stop(),
  };
  const driver = { ...createFakeDriver(), input: () => input as InputDriver };
  await performBy(driver, actionType, parameters, { targets });
  return used;
}

test('N25: the agent acts on the controls that were judged, whatever places an action names', async () => {
  await fc.assert(
    fc.asyncProperty(action, async ({ actionType, parameters }) => {
      const checked = CATALOGUE.get(actionType)?.check(parameters);
      if (checked?.ok !== true) throw new Error('expected parameters that fit');
      const found = checked.references.map(targetOf);
      const sight = new Map(found.map((target) => [keyOf(target), target]));
      const { targets } = seenIn(sight, checked.references);
      const assessed = checked.assess({ targets });
      if (!assessed.ok) throw new Error('expected an assessment');
      // As the link sends them.
      const sent: Target[] = JSON.parse(JSON.stringify(targets));
      const judged = [...(assessed.assessment.denialTarget ?? '').matchAll(/Control (\d+)/gu)].map(([, index]) =>
        Number(index),
      );
      const used = await placesUsed(actionType, JSON.parse(JSON.stringify(parameters)), sent);
      expect(judged).toHaveLength(checked.references.length);
      const isTyped = actionType === 'TypeText' && Object.keys(parameters).length === 1;
      expect(used).toEqual(isTyped ? [] : judged.map((index) => 1_000 + index));
    }),
    { numRuns: 300 },
  );
});

test('N25: two references share a key only where they are the same', () => {
  const reference: fc.Arbitrary<TargetReference> = fc.oneof(
    fc.record({ kind: fc.constant('point'), x: fc.constantFrom(1, 2), y: fc.constantFrom(1, 12) } as const),
    fc.record({
      kind: fc.constant('point'),
      x: fc.constant(1),
      y: fc.constant(1),
      frameId: fc.constantFrom('', '1'),
    } as const),
    fc.record({ kind: fc.constant('window'), windowId: fc.constantFrom('1', 'any') } as const),
    fc.record({ kind: fc.constant('window'), windowId: fc.constant('1'), hidden: fc.constant(true) } as const),
    fc.record({ kind: fc.constant('path'), path: fc.constantFrom('/a', 'into /a') } as const),
    fc.record({ kind: fc.constant('path'), path: fc.constant('/a'), into: fc.constant(true) } as const),
    fc.record({ kind: fc.constant('opener'), scheme: fc.constantFrom('http', 'https') } as const),
  );
  fc.assert(
    fc.property(reference, reference, (one, other) => {
      const isSame = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
      expect(keyOf(one) === keyOf(other)).toBe(isSame);
    }),
    // One pair in a hundred tells a point of a picture from one of the desktop.
    { numRuns: 3_000 },
  );
});

test('N25: a window and a file are the ones of the reference, not of what was found for another one', () => {
  const bounds = { x: 0, y: 0, width: 1, height: 1 };
  const window = (id: string) => ({ id, app: 'Notes', pid: 1, title: id, bounds });
  const targets: Target[] = [
    { kind: 'window', windowId: '1', window: window('other') },
    { kind: 'window', windowId: '2', hidden: true, window: window('meant') },
  ];
  expect(judgedWindow({ targets }, '2')?.id).toBe('meant');
  expect(judgedWindow({ targets }, undefined)).toBeUndefined();
  expect(judgedFile({ targets }, '/a')).toBeUndefined();
  expect(foundAt('/a', { targets })).toBeUndefined();
});
