import type { Control } from '../../src/contract/screen.ts';
import { control, doneBy, MOUSEPAD, submitOn } from './hands.ts';
import { done, type Rig, startServices } from './rig.ts';

/** The person gave access to clicks and keys in the app, so that only the rules about the action itself ask. */
export async function withAccess(): Promise<Rig> {
  const rig = startServices();
  rig.agent.apps.set('Mousepad', done({ data: MOUSEPAD }));
  const parameters = { apps: ['Mousepad'], allow: 'input', minutes: 60 };
  await submitOn(rig, { actionType: 'RequestAccess', parameters });
  const { confirmations } = rig.services.console;
  const [prompt] = confirmations.list();
  if (prompt === undefined) throw new Error('expected a prompt');
  const { id, nonce, actionDigest } = prompt;
  confirmations.shown(id);
  rig.clock.advance(1_000);
  confirmations.decide(id, { decision: 'allow', nonce, actionDigest });
  await rig.agent.answer(done());
  return rig;
}

export const FIELD: Partial<Control> = { role: 'textbox', name: 'Note', isEditable: true };
export const press = (keys: string, more: { repeat?: number; holdMs?: number } = {}) => ({
  actionType: 'PressKeys',
  parameters: { keys, ...more },
});
export const typed = (text: string) => ({ actionType: 'TypeText', parameters: { text } });
export async function verdict(body: Parameters<typeof submitOn>[1], overrides: Partial<Control>) {
  const rig = await withAccess();
  const before = doneBy(rig).length;
  const { status, risk } = await submitOn(rig, body, [control(overrides)]);
  return { status, level: risk.level, sent: doneBy(rig).length - before };
}

export const ASKS = { status: 'awaiting_confirmation', level: 'high', sent: 0 };
export const RUNS = { status: 'running', level: 'medium', sent: 1 };
