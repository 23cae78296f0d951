import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../desktop/processes.ts';
import { describeInput, type InputHarness } from '../input-contract.ts';
import { touch, withinElement } from './fake-hands.ts';
import type { FakeElement } from './fake-mac.ts';
import { createMacRig } from './rig.ts';

const TICK_MS = 2;

describeInput('macOS (in memory)', async (): Promise<InputHarness> => {
  const { mac, input, textEdit } = createMacRig({ pause: () => pause(TICK_MS) });
  const [document] = mac.windows.filter(({ title }) => title === 'notes.txt');
  if (document?.element == null) throw new Error('the office has windows');
  const { element } = document;
  const password: FakeElement = { role: 'AXTextField', subrole: 'AXSecureTextField', value: 'hunter2' };
  element.children?.push(password);
  return {
    input,
    seen: async () => mac.hands.seen.splice(0),
    down: async () => [...mac.hands.down],
    untilHeld: () => until('something is held', () => mac.hands.down.size > 0).then(() => undefined),
    touchByPerson: async () => touch(mac),
    async focus(kind) {
      mac.activate(document.pid);
      for (const one of withinElement(element)) {
        const wanted = kind === 'password' ? one === password : one.role === 'AXTextArea';
        one.focused = wanted;
      }
    },
    field: async () => String(withinElement(element).find(({ role }) => role === 'AXTextArea')?.value ?? ''),
    async showWindow() {
      const { pid } = mac.launch({ ...textEdit, launch: { frontmost: false } });
      const window = mac.windows.find((one) => one.pid === pid);
      if (window?.element == null) throw new Error('the app shows a window');
      window.element = structuredClone({ ...window.element, title: 'shown.txt' });
      window.title = 'shown.txt';
      return { id: String(window.id), title: window.title };
    },
    dispose: async () => undefined,
  };
});
