import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import type { ResultMessage } from '../../agent/result-message.ts';
import { createRunner } from '../../agent/runner.ts';
import type { SideEffect } from '../../src/contract/action.ts';
import { deliveryIn } from '../../src/contract/delivery-words.ts';
import type { Delivery } from '../../src/contract/hands.ts';
import type { Target, TargetReference } from '../../src/contract/targets.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';
import { dataOf, deliveryOf } from '../../src/services/actions/action-view.ts';
import { performBy } from './perform-by.ts';

/** A fault at each call that an input makes to its driver: each is found by playing the input once without a fault. */
const BUTTON = 'window-1/0';
const FIELD = 'window-1/2';
const bounds = { x: 10, y: 10, width: 300, height: 200 };

const INPUTS: [string, Record<string, unknown>, ...TargetReference[]][] = [
  ['Click', { elementId: BUTTON }, { kind: 'element', elementId: BUTTON }],
  ['Click', { x: 30, y: 40 }, { kind: 'point', x: 30, y: 40 }],
  ['MovePointer', { x: 30, y: 40 }, { kind: 'point', x: 30, y: 40 }],
  [
    'Drag',
    { from: { x: 30, y: 40 }, to: { x: 50, y: 60 } },
    { kind: 'point', x: 30, y: 40 },
    { kind: 'point', x: 50, y: 60 },
  ],
  ['Scroll', { x: 30, y: 40, dy: 2 }, { kind: 'point', x: 30, y: 40 }],
  ['TypeText', { text: 'abc' }, { kind: 'focus' }],
  ['TypeText', { text: 'abc', elementId: FIELD }, { kind: 'element', elementId: FIELD }],
  ['PressKeys', { keys: 'ctrl+s' }, { kind: 'focus' }],
  ['SetValue', { elementId: FIELD, value: 'abc' }, { kind: 'element', elementId: FIELD }],
  ['FocusWindow', { windowId: 'window-2' }, { kind: 'window', windowId: 'window-2', hidden: true }],
  ['MoveWindow', { windowId: 'window-2', bounds }, { kind: 'window', windowId: 'window-2', hidden: true }],
  ['MinimizeWindow', { windowId: 'window-2' }, { kind: 'window', windowId: 'window-2', hidden: true }],
  ['CloseWindow', { windowId: 'window-2' }, { kind: 'window', windowId: 'window-2', hidden: true }],
];

const LOOKS: ReadonlySet<string> = new Set(['sight', 'resolveWindow']);

type Fault = { at: number; moment: 'before' | 'after'; kind: 'throws' | 'hangs' };

const FAULTS: Omit<Fault, 'at'>[] = [
  { moment: 'before', kind: 'throws' },
  { moment: 'after', kind: 'throws' },
  { moment: 'before', kind: 'hangs' },
  { moment: 'after', kind: 'hangs' },
];

async function befall({ moment, kind }: Fault, now: Fault['moment']): Promise<void> {
  if (moment !== now) return;
  if (kind === 'throws') throw new Error('the driver is broken');
  await new Promise(() => undefined);
}

/** The driver, with a note of each call that it gets and a fault at one of them. */
function faulty(driver: Driver, calls: string[], fault?: Fault): Driver {
  const watched = <Each extends object>(object: Each): Each =>
    new Proxy(object, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function' || name === 'close') return value;
        if (name === 'input') return () => watched(driver.input());
        return async (...given: unknown[]) => {
          const isIt = calls.push(String(name)) - 1 === fault?.at;
          if (isIt) await befall(fault, 'before');
          const outcome: unknown = await value.apply(target, given);
          if (isIt) await befall(fault, 'after');
          return outcome;
        };
      },
    });
  return watched(driver);
}

async function play([actionType, parameters, ...references]: (typeof INPUTS)[number], fault?: Fault) {
  const driver = createFakeDriver();
  const calls: string[] = [];
  const targets = await judged(driver, references);
  const { promise, resolve } = Promise.withResolvers<ResultMessage>();
  const runner = createRunner({
    driver: async () => faulty(driver, calls, fault),
    accepted: () => undefined,
    answered: (_key, answer) => resolve(answer),
    answerAgain: () => false,
    log: () => undefined,
    stopPatienceMs: 5,
  });
  const { effectClass } = CATALOGUE.get(actionType) ?? { effectClass: 'once' };
  runner.perform({
    actionId: 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    attempt: 1,
    actionType,
    parameters,
    capabilities: { canControlInput: true },
    effectClass,
    deadlineMs: fault?.kind === 'hangs' ? 30 : 5_000,
    digest: '0'.repeat(64),
    targets,
  });
  const { result, error } = JSON.parse((await promise).text) as {
    result?: { data: unknown };
    error?: { data: { sideEffect: SideEffect } };
  };
  await driver.close();
  const data = error === undefined ? result?.data : deliveryOf({ actionType, effectClass }, error.data.sideEffect).data;
  return { calls, delivery: deliveryIn({ data }), effectClass };
}

async function judged(driver: Driver, references: readonly TargetReference[]): Promise<Target[]> {
  const outcome = await performBy<{ targets: Target[] }>(driver, 'ResolveTargets', { references });
  return outcome.ok ? outcome.data.targets : [];
}

const NOTHING: Delivery = { delivered: 'no', safeToRepeat: true };

test.each(INPUTS.map((input) => [input[0], JSON.stringify(input[1]), input] as const))(
  '%s %s: a fault at each call to the driver tells whether the desktop got it',
  async (actionType, _parameters, input) => {
    const { calls, delivery, effectClass } = await play(input);
    const isRepeatable = effectClass !== 'once';
    expect(delivery).toEqual({ delivered: 'yes', safeToRepeat: isRepeatable });
    const unknown: Delivery = { delivered: 'unknown', safeToRepeat: isRepeatable };
    for (const [at, call] of calls.entries()) {
      const begun = calls.slice(0, at).filter((each) => !LOOKS.has(each)).length;
      for (const fault of FAULTS) {
        // A look is taken within the call that it is for, so one effect has begun by then, and has done nothing.
        const mayBeDone = LOOKS.has(call) ? begun > 1 : begun > 0 || fault.moment === 'after';
        const { delivery: told } = await play(input, { at, ...fault });
        expect(told, `${call} ${fault.kind} ${fault.moment}`).toEqual(mayBeDone ? unknown : NOTHING);
      }
    }
    expect(calls.some((call) => LOOKS.has(call))).toBe(true);
    // No word came of an agent that was killed.
    expect(dataOf({ actionType, effectClass, status: 'unknown', effect: 'unverified' } as never)).toEqual({
      data: unknown,
    });
  },
);
