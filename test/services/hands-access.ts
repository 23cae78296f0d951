import type { Control } from '../../src/contract/screen.ts';
import { control, doneBy, submitOn, withAccess } from './hands.ts';

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
