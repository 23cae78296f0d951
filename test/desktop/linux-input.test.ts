import { describeInput, type InputHarness } from '../agent/input-contract.ts';
import { type InputWatcher, watchInput } from './input-watcher.ts';
import { startInput } from './linux-input-rig.ts';
import { type Rig, type RigApp, type RigWindow, startRig } from './rig.ts';

describeInput('Linux', async (): Promise<InputHarness> => {
  const rig = await startRig();
  const hands = startInput(rig, { watchesPerson: true });
  let watcher: InputWatcher | undefined = await watchInput(rig);
  const fields = new Map<string, { app: RigApp; window: RigWindow }>();
  return {
    input: hands.input,
    async seen() {
      return ((await watcher?.seen()) ?? []).map(({ name, detail, x, y }) => spoken(name, detail, `${x},${y}`));
    },
    down: () => down(rig),
    async untilHeld() {
      await rig.until('something is held', async () => (await down(rig)).length > 0);
    },
    async touchByPerson() {
      await rig.touchByPerson();
    },
    async focus(kind) {
      watcher?.end();
      watcher = undefined;
      const args = kind === 'text' ? ['--entry', '--title=Note'] : ['--password', '--title=Sign in'];
      const { app, window } = fields.get(kind) ?? (await rig.open('zenity', args));
      fields.set(kind, { app, window });
      await rig.ask('xdotool', 'windowactivate', '--sync', window.id);
      const isReady = async () =>
        (await hands.describe()).elements.some(
          ({ role, focused, windowId }) => role === 'textbox' && focused && windowId === window.id,
        );
      await rig.until('the field has the keyboard', isReady);
    },
    async field() {
      const { elements } = await hands.describe();
      const windowId = fields.get('text')?.window.id;
      return elements.find((element) => element.role === 'textbox' && element.windowId === windowId)?.value ?? '';
    },
    async showWindow() {
      const { window } = await rig.open('mousepad', ['--disable-server']);
      return window;
    },
    async dispose() {
      watcher?.end();
      await hands.close();
      await rig.close();
    },
  };
});

/** What another program sees held on the devices of XTEST. */
async function down(rig: Rig): Promise<string[]> {
  const names = ['Virtual core XTEST keyboard', 'Virtual core XTEST pointer'];
  const states = await Promise.all(names.map((name) => rig.ask('xinput', 'query-state', name)));
  return states.flatMap((state) => state.match(/(?:key|button)\[\d+\]=down/g) ?? []);
}

const BUTTONS = ['', 'left', 'middle', 'right'];

function spoken(name: string, detail: number, place: string): string {
  if (name === 'ButtonPress') return `press ${BUTTONS[detail] ?? detail} at ${place}`;
  if (name === 'ButtonRelease') return `release ${BUTTONS[detail] ?? detail}`;
  return name === 'MotionNotify' ? `move to ${place}` : `${name} ${detail}`;
}
