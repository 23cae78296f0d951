import { startInput, unhurried } from './linux-input-rig.ts';

/** Acts for ever in one way, so that a test can kill it in the middle. */
const { input } = startInput({ env: {} }, { watchesPerson: false });
const attempt = unhurried();
const at = { x: 40, y: 40 };
const ACTS: Record<string, () => Promise<unknown>> = {
  text: () => input.typeText({ text: 'a'.repeat(9_000) }, attempt),
  click: () => input.click({ at, count: 3, modifiers: ['shift'] }, attempt),
  chord: () => input.pressKeys({ keys: 'ctrl+shift+a', repeat: 100 }, attempt),
  drag: () => input.drag({ path: [at, { x: 90, y: 90 }], modifiers: ['alt'] }, attempt),
};
const act = ACTS[process.argv[2] ?? ''];
if (act === undefined) throw new Error(`expected one of ${Object.keys(ACTS).join(', ')}`);
await input.movePointer({ to: at }, attempt);
process.stdout.write('ready\n');
for (;;) await act();
