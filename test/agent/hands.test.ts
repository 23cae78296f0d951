import { expect, test } from 'vitest';
import type { Driver } from '../../agent/drivers/driver.ts';
import { createFakeDriver } from '../../agent/drivers/fake/driver.ts';
import { refused } from '../../agent/drivers/hands/input-outcome.ts';
import type { Failed } from '../../agent/drivers/outcome.ts';
import { changeSince, createFrames } from '../../agent/targets/frame-memory.ts';
import { idByName } from '../../src/contract/control-name.ts';
import type { ScreenOutline, ScreenshotData } from '../../src/contract/screen.ts';
import type { ResolvedTargets, Target, TargetReference } from '../../src/contract/targets.ts';
import { performBy } from './perform-by.ts';

function hands(driver: Driver = createFakeDriver()) {
  const perform = <Data>(actionType: string, parameters: unknown, targets: readonly Target[] = []) =>
    performBy<Data>(driver, actionType, parameters, { targets });
  async function judged(reference: TargetReference) {
    const outcome = await perform<ResolvedTargets>('ResolveTargets', { references: [reference] });
    return outcome.ok ? outcome.data.targets[0] : undefined;
  }
  return { driver, perform, judged };
}

test.each([
  ['Click', { elementId: 'window-1/0' }],
  ['Drag', { from: { x: 1, y: 1 }, to: { x: 2, y: 2 } }],
  ['PressKeys', { keys: 'enter' }],
  ['TypeText', { text: 'a' }],
  ['SetValue', { elementId: 'window-1/2', value: 'a' }],
  ['CloseWindow', { windowId: 'window-1' }],
  ['RequestAccess', { apps: ['Notes'], allow: 'input', minutes: 5 }],
  ['OpenUrl', { url: 'https://example.org/' }],
])('%s does nothing without the target that was judged', async (actionType, parameters) => {
  expect(await hands().perform(actionType, parameters)).toMatchObject({
    ok: false,
    code: 'target_changed',
    sideEffect: 'none',
  });
});

test('a click reaches the element that was judged, and says that it was delivered', async () => {
  const { perform, judged } = hands();
  const target = await judged({ kind: 'element', elementId: 'window-1/0' });
  expect(target).toMatchObject({ control: { role: 'button', name: 'Close', app: { appName: 'Text Editor' } } });
  expect(await perform('Click', { elementId: 'window-1/0' }, [target as Target])).toMatchObject({
    ok: true,
    data: { delivered: 'yes', safeToRepeat: false, settled: true },
  });
});

test.each([true, false])(
  'an input says whether the screen came to rest, and a look waits for it if asked: %s',
  async (isAtRest) => {
    const { driver, perform, judged } = hands();
    const waits: number[] = [];
    const input = {
      ...driver.input(),
      settle: async ({ withinMs }: { withinMs: number }) => {
        waits.push(withinMs);
        return isAtRest;
      },
    };
    driver.input = () => input;
    const target = await judged({ kind: 'element', elementId: 'window-1/0' });
    expect(await perform('Click', { elementId: 'window-1/0' }, [target as Target])).toMatchObject({
      data: { settled: isAtRest },
    });
    expect(await perform('DescribeScreen', { settle: true })).toMatchObject({ data: { settled: isAtRest } });
    const told = await perform<ScreenOutline>('DescribeScreen', { settle: true, format: 'text' });
    expect(told.ok && told.data.text.includes('not settled')).toBe(!isAtRest);
    expect(await perform('DescribeScreen', {})).not.toHaveProperty('data.settled');
    expect(waits).toEqual([500, 2_000, 2_000]);
  },
);

test('a control that is another one by now is not clicked, and the message names only what has changed', async () => {
  const { perform, judged } = hands();
  const target = (await judged({ kind: 'element', elementId: 'window-1/0' })) as Target & { control: { name: string } };
  const renamed = { ...target, control: { ...target.control, name: 'Cancel' } } as Target;
  const outcome = await perform('Click', { elementId: 'window-1/0' }, [renamed]);
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'none' });
  expect(outcome).toHaveProperty('message', expect.stringContaining('Changed: its name.'));
  expect(outcome).toHaveProperty('message', expect.not.stringContaining('Close'));
});

test('nothing is typed into a field for a password', async () => {
  const { perform, judged } = hands();
  const target = await judged({ kind: 'element', elementId: 'window-2/2' });
  expect(target).toMatchObject({ control: { isPassword: true } });
  expect(await perform('TypeText', { text: 'a', elementId: 'window-2/2' }, [target as Target])).toMatchObject({
    ok: false,
    code: 'invalid_target',
    sideEffect: 'none',
  });
});

const SHOP = ['https://shop.example/form'];

/** A field that was judged in a page, where the keyboard is once it was clicked, and where it is between the keys. */
async function inPage({ clicked = SHOP, later = SHOP }: { clicked?: readonly string[]; later?: readonly string[] }) {
  const { driver, perform, judged } = hands();
  const input = driver.input();
  const elementId = 'window-1/2';
  const sight: typeof input.sight = async ({ kind }, attempt) => {
    const found = await input.sight({ kind: 'element', elementId }, attempt);
    return found.ok ? { ...found, data: { ...found.data, documents: kind === 'focus' ? clicked : SHOP } } : found;
  };
  let between: Failed | null | undefined;
  const typeText: typeof input.typeText = async (wish, attempt) => {
    between = await attempt.lookBetween?.();
    return input.typeText(wish, attempt);
  };
  driver.input = () => ({ ...input, sight, typeText, focusDocuments: async () => ({ ok: true, data: later }) });
  const target = (await judged({ kind: 'element', elementId })) as Target;
  return { outcome: await perform('TypeText', { text: 'a', elementId }, [target]), between };
}

test.each([
  ['of another site', ['https://other.example/']],
  ['of another page of the site', ['https://shop.example/other']],
  ['in a frame of the page', ['https://other.example/', ...SHOP]],
  ['outside of the page', []],
])('N42: nothing is typed where a click gives the keyboard to a field of the same name %s', async (_where, clicked) => {
  const { outcome } = await inPage({ clicked });
  expect(outcome).toMatchObject({ ok: false, code: 'target_changed', sideEffect: 'done' });
});

test.each([
  ['another site', ['https://other.example/']],
  ['a frame of the page', ['https://other.example/', ...SHOP]],
  ['what is outside of the page', []],
])('N42: between keys for a page it is seen that the keyboard is in %s', async (_where, later) => {
  const { between } = await inPage({ later });
  expect(between).toMatchObject({ ok: false, code: 'target_changed' });
});

test('a page may change the query and the fragment of its own address by a click and by keys', async () => {
  const own = ['https://shop.example/form?text=a#here'];
  const { outcome, between } = await inPage({ clicked: own, later: own });
  expect([outcome, between]).toMatchObject([{ ok: true }, null]);
});

test('a picture has a frame whose points lead to the desktop until a window moves', async () => {
  const { driver, perform, judged } = hands();
  const look = await perform<ScreenshotData>('TakeScreenshot', { maxEdge: 320 });
  if (!look.ok || look.data.frame === undefined) throw new Error('the picture has no frame');
  const { frame } = look.data;
  expect(frame).toMatchObject({ displayId: 'fake-1', scale: 0.5, image: { width: 320, height: 200 } });
  const reference: TargetReference = { kind: 'point', frameId: frame.frameId, x: 50, y: 50 };
  expect(await judged(reference)).toMatchObject({ kind: 'point', at: { x: 101, y: 101 } });
  const attempt = { signal: new AbortController().signal, deadlineMs: 5_000 };
  await driver.input().moveWindow({ windowId: 'window-1', bounds: { x: 30, y: 20, width: 320, height: 200 } }, attempt);
  expect(await judged(reference)).toMatchObject({ kind: 'lost', code: 'stale_frame' });
  expect(await judged({ ...reference, frameId: 'frame_none' })).toMatchObject({ kind: 'lost', code: 'stale_frame' });
  expect(await judged({ ...reference, x: 400 })).toMatchObject({ kind: 'lost', code: 'coordinates_off_screen' });
});

test('a frame is stale after a minute', () => {
  let now = 1_000;
  const frames = createFrames(() => now);
  const source = { x: 0, y: 0, width: 10, height: 10 };
  frames.keep({ frame: { frameId: 'f', displayId: null, source, scale: 1, takenAt: now }, looks: [] });
  expect(frames.place('f', { x: 1, y: 1 })).toMatchObject({ at: { x: 1, y: 1 } });
  now += 60_001;
  expect(frames.place('f', { x: 1, y: 1 })).toMatchObject({ ok: false, code: 'stale_frame' });
});

test('a picture of which no window is known leads nowhere', () => {
  const source = { x: 0, y: 0, width: 10, height: 10 };
  const frame = { frameId: 'f', displayId: null, source, scale: 1, takenAt: 0 };
  const sighting = {
    app: { appName: 'Notes', alsoKnownAs: [], risks: [] },
    pid: 1,
    windowId: 'a',
    windowTitle: '',
    windowBounds: source,
    isCovered: false,
    element: null,
    documents: [],
    pagesBeside: [],
  };
  expect(changeSince({ frame, looks: [] }, { x: 1, y: 1 }, sighting)).toMatchObject({ code: 'stale_frame' });
});

test('marks number the elements in the picture, and the list says what each is', async () => {
  const { perform } = hands();
  const look = await perform<ScreenshotData>('TakeScreenshot', { marks: true });
  if (!look.ok) throw new Error(look.message);
  const [first] = look.data.marks ?? [];
  expect(first).toMatchObject({ mark: expect.any(Number), elementId: expect.stringMatching(/^window-1\//) });
  const plain = await perform<ScreenshotData>('TakeScreenshot', {});
  expect(plain.ok && plain.data.marks).toBeUndefined();
  expect(look.images?.[0]?.bytes).not.toEqual(plain.ok ? plain.images?.[0]?.bytes : undefined);
});

test('the number in a picture is the @ref of its element, and stays so in the next picture', async () => {
  const { perform, judged } = hands();
  const look = await perform<ScreenshotData>('TakeScreenshot', { marks: true });
  if (!look.ok) throw new Error(look.message);
  const marks = look.data.marks ?? [];
  expect(marks.length).toBeGreaterThan(0);
  for (const { mark, name, role } of marks)
    expect(await judged({ kind: 'element', elementId: `@${mark}` })).toMatchObject({ control: { name, role } });
  const again = await perform<ScreenshotData>('TakeScreenshot', { marks: true });
  expect(again.ok && again.data.marks).toEqual(marks);
});

test('N44: nothing is told of a window that has gone on to a page of another site', async () => {
  const fake = createFakeDriver();
  const identity = { appName: 'Chromium', alsoKnownAs: ['chromium'], risks: [] };
  let page = 'https://mail.example/inbox';
  const resolveWindow = fake.resolveWindow.bind(fake);
  const input = fake.input.bind(fake);
  const { perform, judged } = hands(
    Object.assign(fake, {
      async resolveWindow(...wish: Parameters<Driver['resolveWindow']>) {
        const found = await resolveWindow(...wish);
        return found.ok ? { ...found, data: { ...found.data, identity } } : found;
      },
      input: () => Object.assign(input(), { page: async () => page }),
    }),
  );
  const target = (await judged({ kind: 'window', windowId: 'window-1' })) as Target;
  expect(target).toMatchObject({ window: { page } });
  const look = { contents: true, format: 'text', region: 'window-1' };
  expect(await perform('DescribeScreen', look, [target])).toMatchObject({ ok: true });
  page = 'https://bank.example/';
  for (const [actionType, parameters] of Object.entries({
    DescribeScreen: look,
    TakeScreenshot: { windowId: 'window-1' },
  }))
    expect(await perform(actionType, parameters, [target])).toMatchObject({ ok: false, code: 'target_changed' });
});

test('N22: the texts of a window are read only while it is as it was judged', async () => {
  const { perform, judged } = hands();
  const target = (await judged({ kind: 'window', windowId: 'window-1' })) as Target & { window: { title: string } };
  const look = { contents: true, format: 'text', region: 'window-1' };
  expect(await perform('DescribeScreen', look, [target])).toMatchObject({ ok: true });
  const other = { ...target, window: { ...target.window, title: 'Another page' } } as Target;
  expect(await perform('DescribeScreen', look, [other])).toMatchObject({ ok: false, code: 'target_changed' });
});

/** The wheel over the document of a page, with something in its middle. */
async function scrolledOver(role: string, target: 'the document' | 'what lies there') {
  const { driver, perform, judged } = hands();
  const input = driver.input();
  const elementId = 'window-1/0';
  const sight: typeof input.sight = async ({ kind }, attempt) => {
    const found = await input.sight({ kind: 'element', elementId }, attempt);
    const facts =
      kind === 'element' && target === 'the document' ? { role: 'document', name: 'Bank' } : { role, name: 'Amount' };
    const element = found.ok && found.data.element !== null ? { ...found.data.element, ...facts } : null;
    return found.ok ? { ...found, data: { ...found.data, element } } : found;
  };
  driver.input = () => ({ ...input, sight });
  const over = (await judged({ kind: 'element', elementId })) as Target;
  return perform('Scroll', { elementId, dy: -2 }, [over]);
}

test.each(['slider', 'spinbutton', 'combobox'])(
  'N50: the wheel over a document does not turn the %s in its middle, and the message says what to do',
  async (role) => {
    const outcome = await scrolledOver(role, 'the document');
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_target', sideEffect: 'none' });
    expect(outcome).toHaveProperty('fix', expect.stringContaining('name the field itself'));
    expect(await scrolledOver(role, 'what lies there')).toMatchObject({ ok: true });
  },
);

test('the wheel over a document scrolls it where a text lies in its middle', async () => {
  expect(await scrolledOver('text', 'the document')).toMatchObject({ ok: true });
});

test('N54: a value is set where the last look was, though a name leads to another control at each look', async () => {
  const { driver, perform, judged } = hands();
  const elementId = idByName({ app: 'Text Editor', role: 'textbox', name: 'Text' });
  const target = await judged({ kind: 'element', elementId: 'window-1/2' });
  if (target?.kind !== 'element') throw new Error('expected an element');
  const set: string[] = [];
  const ids = ['window-1/0', 'window-1/2'];
  const fake = driver.input();
  driver.input = () => ({
    ...fake,
    async findControl(_name, attempt) {
      const id = ids.shift() ?? 'window-1/2';
      const seen = await fake.sight({ kind: 'element', elementId: id }, attempt);
      return seen.ok ? { ok: true, data: { elementId: id, seen: seen.data } } : seen;
    },
    setValue: async (wish, attempt) => {
      if (attempt.lastLook === undefined) throw new Error('expected a last look');
      const objection = await attempt.lastLook();
      if (objection !== null) return refused({ ...objection, code: 'target_changed' });
      set.push(wish.elementId);
      return fake.setValue(wish, attempt);
    },
  });
  const outcome = await perform('SetValue', { elementId, value: 'a' }, [{ ...target, elementId }]);
  expect([set, outcome]).toMatchObject([[], { ok: false, code: 'target_changed' }]);
});
