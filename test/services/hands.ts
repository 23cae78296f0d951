import type { Action } from '../../src/contract/action.ts';
import { type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { Control, ResolvedApp } from '../../src/contract/screen.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { decide, show } from './answers.ts';
import { answerLook, looksOf } from './looks.ts';
import { ALL, done, type Rig, startServices } from './rig.ts';

export const MOUSEPAD: ResolvedApp = {
  appName: 'Mousepad',
  bundleId: 'org.xfce.mousepad.desktop',
  alsoKnownAs: ['mousepad'],
  risks: [],
};

/** A control of Mousepad that says nothing critical. */
export function control(overrides: Partial<Control> = {}): Control {
  return {
    app: MOUSEPAD,
    pid: 7,
    windowId: '0x1',
    windowTitle: 'notes.txt',
    role: 'button',
    name: 'Bold',
    bounds: { x: 100, y: 100, width: 40, height: 20 },
    isPassword: false,
    isEditable: false,
    isOwn: false,
    ...overrides,
  };
}

export const CLICK = { actionType: 'Click', parameters: { elementId: 'e1' } };

/** A device of a user whose input the person may allow. */
export function handsOf({ services }: Pick<Rig, 'services'>, userId = 'ann'): string {
  const capabilities = { ...ALL, canControlInput: true };
  return services.devices.register(userId, { type: 'linux', name: 'Hands', capabilities }).device.id;
}

/** Submits an action on controls, and answers the look at them. */
export async function submitOn(
  rig: Rig,
  body: { actionType: string; parameters: Record<string, unknown> },
  found: Parameters<typeof answerLook>[1][] = [control()],
  userId = 'ann',
): Promise<Action> {
  const before = looksOf(rig).length;
  const answered = rig.submit({ targetDeviceId: handsOf(rig, userId), ...body }, { userId, waitMs: 0 });
  await rig.sent();
  if (looksOf(rig).length > before) await answerLook(rig, ...found);
  const answer = await answered;
  if (isRefusal(answer) || answer.kind !== 'action') throw new Error(`expected an action: ${JSON.stringify(answer)}`);
  return answer.action;
}

/** What was sent to the agent to be done: looks and questions are not. */
export function doneBy({ agent }: Pick<Rig, 'agent'>): PerformParams[] {
  return agent.sent.filter(({ actionType, digest }) => actionType !== RESOLVE_TARGETS && !/^0+$/u.test(digest));
}

/** The person gave access to clicks and keys in the app, so that only the rules about the action itself ask. */
export async function withAccess(): Promise<Rig> {
  const rig = startServices();
  rig.agent.apps.set('Mousepad', done({ data: MOUSEPAD }));
  const parameters = { apps: ['Mousepad'], allow: 'input', minutes: 60 };
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  show(rig, 1_000);
  decide(rig, 'allow');
  await rig.agent.answer(done());
  return rig;
}
