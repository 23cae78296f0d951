import { createFakeInput, type FakeInputDesktop } from '../../agent/drivers/fake/input.ts';
import { until } from '../desktop/processes.ts';
import { describeInput, type InputHarness } from './input-contract.ts';

const element = { elementId: '1', role: 'textbox', name: 'Note', bounds: null, isPassword: false, isEditable: true };
const bounds = { x: 0, y: 0, width: 100, height: 100 };
const shown = { app: 'Notes', pid: 7, title: 'A window', bounds, focused: false, onScreen: true, zIndex: 0 };

describeInput('fake', async (): Promise<InputHarness> => {
  const seen: string[] = [];
  const desktop: FakeInputDesktop = {
    size: { width: 1_920, height: 1_080 },
    windows: [],
    focus: {
      app: { appName: 'Notes', alsoKnownAs: [], risks: [] },
      pid: 7,
      windowId: '0x1',
      windowTitle: 'Note',
      windowBounds: bounds,
      isCovered: false,
      element,
      documents: [],
      pagesBeside: [],
    },
    field: '',
    clipboard: '',
    seen,
    down: new Set(),
    onPerson: new Set(),
  };
  return {
    input: createFakeInput(desktop),
    seen: async () => seen.splice(0),
    down: async () => [...desktop.down],
    untilHeld: () => until('something is held', () => desktop.down.size > 0).then(() => undefined),
    async touchByPerson() {
      for (const listener of desktop.onPerson) listener();
    },
    async focus(kind) {
      desktop.focus = { ...desktop.focus, element: { ...element, isPassword: kind === 'password' } };
    },
    field: async () => desktop.field,
    async showWindow() {
      desktop.windows.push({ ...shown, id: '0x00000009' });
      return { id: '0x00000009', title: shown.title };
    },
    dispose: async () => undefined,
  };
});
