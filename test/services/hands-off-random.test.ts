import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import type { PerformParams } from '../../src/contract/link.ts';
import { isInput } from '../../src/domain/catalogue.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { decide } from './answers.ts';
import { CLICK, control, doneBy, handsOf, submitOn } from './hands.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';

const TYPES = ['Click', 'PressKeys', 'TypeText', 'FocusWindow', 'DescribeScreen'] as const;

const OPERATION = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('act' as const), type: fc.constantFrom(...TYPES) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const), isHigh: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('show' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('report' as const), ok: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deny' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 3_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constant(45_000) }) },
);

type Operation = typeof OPERATION extends fc.Arbitrary<infer Each> ? Each : never;

/** The hands press all they can, the whole time: whatever of ours holds the pointer presses every button of every prompt. */
function createHands(rig: Rig) {
  const { confirmations } = rig.services.console;
  const inHand = new Map<string, PerformParams>();
  let seen = 0;
  let pressed = 0;
  let sent = 0;

  const shown = () => confirmations.list().filter(({ shownAt }) => shownAt !== undefined);

  /** Takes note of what the agent was given since the last look. */
  function takeNote(): void {
    for (const params of doneBy(rig).slice(seen)) {
      seen += 1;
      if (!isInput(params.actionType)) continue;
      expect(shown(), 'input was sent while a prompt was shown').toEqual([]);
      inHand.set(params.actionId, params);
      sent += 1;
    }
  }

  function press(): void {
    if (inHand.size === 0) return;
    for (const { id } of confirmations.list()) {
      const prompt = confirmations.get(id);
      if (isRefusal(prompt)) continue;
      confirmations.hold(id, 'press');
      confirmations.hold(id, 'release');
      expect(decide(rig, 'allow', {}, prompt), 'the hands pressed Allow').toMatchObject({
        refused: 'confirmation_not_ready',
      });
      pressed += 1;
    }
  }

  /** What was sent so far is of no interest any more. */
  function forget(): void {
    rig.agent.sent.length = 0;
    seen = 0;
  }

  return { inHand, takeNote, press, forget, counts: () => ({ sent, pressed }) };
}

function firstOf(rig: Rig): Confirmation | undefined {
  return rig.services.console.confirmations.list()[0];
}

const PARAMETERS: Record<(typeof TYPES)[number], Record<string, unknown>> = {
  Click: CLICK.parameters,
  PressKeys: { keys: 'space' },
  TypeText: { text: 'y' },
  FocusWindow: { windowId: '0x1' },
  DescribeScreen: {},
};

const WINDOW = { id: '0x1', app: 'Mousepad', pid: 7, title: '', bounds: { x: 0, y: 0, width: 9, height: 9 } };

let asked = 0;

async function play(rig: Rig, hands: ReturnType<typeof createHands>, operation: Operation): Promise<void> {
  const first = firstOf(rig);
  const [inHand] = hands.inHand.values();
  switch (operation.do) {
    case 'act':
      await submitOn(rig, { actionType: operation.type, parameters: PARAMETERS[operation.type] }, [
        operation.type === 'FocusWindow' ? WINDOW : control(),
      ]);
      break;
    case 'ask':
      asked += 1;
      if (operation.isHigh) await submitOn(rig, CLICK, [control({ name: `Send ${asked}` })], 'bob');
      else await askForPicture(rig, asked);
      break;
    case 'show':
      if (first !== undefined) rig.services.console.confirmations.shown(first.id);
      break;
    case 'report':
      if (inHand !== undefined) await end(rig, hands, inHand, operation.ok);
      break;
    case 'lose':
      hands.inHand.clear();
      rig.agent.listener.lost();
      break;
    case 'cancel':
      if (inHand !== undefined) rig.services.actions.cancel('ann', inHand.actionId);
      break;
    case 'deny':
      if (first !== undefined) decide(rig, 'deny', {}, first);
      break;
    case 'wait':
      rig.clock.advance(operation.ms);
      break;
  }
}

async function end(rig: Rig, hands: ReturnType<typeof createHands>, params: PerformParams, ok: boolean) {
  hands.inHand.delete(params.actionId);
  await rig.agent.answer(ok ? done() : notDone({ sideEffect: 'unknown' }), params);
}

async function askForPicture(rig: Rig, x: number): Promise<void> {
  const parameters = { region: { x, y: 0, width: 10, height: 10 } };
  await rig.submit(
    { targetDeviceId: handsOf(rig, 'bob'), actionType: 'TakeScreenshot', parameters },
    { userId: 'bob', waitMs: 0 },
  );
}

/** Ends everything that a sequence left behind. */
async function tidy(rig: Rig, hands: ReturnType<typeof createHands>): Promise<void> {
  rig.agent.listener.lost();
  hands.inHand.clear();
  rig.clock.advance(700_000);
  hands.takeNote();
  for (const params of hands.inHand.values()) await end(rig, hands, params, true);
  hands.forget();
  rig.services.console.requesters.resume('bob');
}

test('N6: 500 random sequences of input and prompts never get a prompt allowed by the hands', {
  timeout: 120_000,
}, async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  rig.services.console.profiles.assign('bob', 'assist');
  const hands = createHands(rig);
  for (const sequence of fc.sample(fc.array(OPERATION, { minLength: 4, maxLength: 12 }), { numRuns: 500, seed: 36 })) {
    for (const operation of sequence) {
      await play(rig, hands, operation);
      hands.takeNote();
      hands.press();
    }
    await tidy(rig, hands);
  }
  const { sent, pressed } = hands.counts();
  expect(sent).toBeGreaterThan(300);
  expect(pressed).toBeGreaterThan(300);
});
