import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createElementReader } from '../../../agent/drivers/linux/accessibility.ts';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import type { AccessibleRef } from '../../../agent/drivers/linux/accessible-node.ts';
import { createLinuxDescription } from '../../../agent/drivers/linux/describe-screen.ts';
import type { X11 } from '../../../agent/drivers/linux/x11.ts';
import { createRefs } from '../../../agent/screen-text/refs.ts';
import { createScreenTexts } from '../../../agent/screen-text/screen-texts.ts';
import { noteOwnAddress } from '../../../agent/targets/own-pages.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type { ScreenDescription } from '../../../src/contract/screen.ts';
import { busThat } from './accessible-fakes.ts';
import { xWindow } from './x-window.ts';

const [FRAME, BOX, BUTTON, LABEL, PAGE, ENTRY, LIST, ITEM, TOOLBAR] = [23, 20, 43, 29, 95, 79, 31, 32, 63];
const SHOWN = [(1 << 8) | (1 << 25) | (1 << 30), 0];
const HIDDEN = [1 << 8, 0];

/** An object as the bus of the test has it. `silent`: it never says what is in it. */
type Part = {
  role: number;
  name: string;
  children: Part[];
  silent?: boolean;
  noPlace?: boolean;
  hidden?: boolean;
  text?: string;
  url?: string;
};

function part(role: number, name: string, children: Part[] = [], more: Partial<Part> = {}): Part {
  return { role, name, children, ...more };
}

/** An app with one window on a bus that answers from these parts. */
function busOf(top: Part, toolkit = 'gtk'): AccessibilityBus {
  const parts = [top];
  for (let index = 0; index < parts.length; index += 1) parts.push(...(parts[index]?.children ?? []));
  const root = part(75, 'app', [top]);
  const numbers = new Map(parts.map((each, index) => [each, index]));
  const refOf = (each: Part | undefined) => (each === undefined ? undefined : [':1.1', `/p${numbers.get(each)}`]);
  const partAt = ({ path }: AccessibleRef) => (path === '/app' ? root : parts[Number(path.slice(2))]);
  const answers: Record<string, (each: Part, body: readonly unknown[]) => unknown> = {
    GetRole: ({ role }) => role,
    GetState: ({ hidden }) => (hidden === true ? HIDDEN : SHOWN),
    GetInterfaces: ({ text }) => ['Component', 'Action', ...(text === undefined ? [] : ['Text'])],
    GetChildren: ({ silent, children }) => (silent === true ? undefined : children.map(refOf)),
    GetChildAtIndex: ({ silent, children }, [index]) => (silent === true ? undefined : refOf(children[Number(index)])),
    GetExtents: ({ noPlace }) => (noPlace === true ? [0, 0, 0, 0] : [10, 10, 20, 20]),
    GetText: ({ text }) => text,
    GetAttributeValue: ({ url }) => url,
    GetAll: ({ name, children }) => ({ Name: name, Description: '', ChildCount: children.length }),
  };
  return busThat(
    async (ref, { member, body = [] }: Question) => {
      const each = partAt(ref);
      const answer = each === undefined ? undefined : answers[member]?.(each, body);
      return answer === undefined ? null : [answer];
    },
    async () => [{ root: { bus: ':1.1', path: '/app' }, pid: 7, toolkit }],
  );
}

/** The same app, which answers nothing until the time is over. */
function lateBus(bus: AccessibilityBus): AccessibilityBus {
  const late = (timeoutMs: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), timeoutMs));
  return { ...bus, ask: async (_ref, _question, timeoutMs) => late(timeoutMs) };
}

// As Chromium names it, by the folder of its profile.
const instanceName = 'chromium (/tmp/handrail-profile)';
const window = xWindow({ id: 'w1', pid: 7, title: 'Orders', className: 'Shop', instanceName });
const monitor = { name: 'A', bounds: { x: 0, y: 0, width: 1_000, height: 800 } };
const attempt = { signal: new AbortController().signal, deadlineMs: 30_000 };

type Scene = { bus: AccessibilityBus; parameters?: DescribeScreenParameters; unread?: boolean; title?: string };

async function look({ bus, parameters = {}, unread = false, title = 'Orders' }: Scene): Promise<ScreenDescription> {
  const x11: Pick<X11, 'layout' | 'desktop'> = {
    layout: async () => ({
      ok: true,
      value: { width: 1_000, height: 800, depth: 24, monitors: [monitor], connection: 1 },
    }),
    desktop: async () => ({
      ok: true,
      value: { windows: [{ ...window, title }], hasWindowManager: true, revision: 1 },
    }),
  };
  const line = { text: 'read', bounds: monitor.bounds, confidence: 1, windowId: 'w1' };
  const outcome = await createLinuxDescription({
    x11: x11 as X11,
    readElements: createElementReader(bus),
    entries: { list: async () => [] },
    texts: {
      read: async ({ treeless }) => ({
        text: unread ? [] : treeless.map(() => line),
        unread: unread ? treeless.map(({ id }) => id) : [],
        degradedReasons: unread ? [{ code: 'text_unread', message: 'unread' }] : [],
      }),
    },
    isSwitchedOff: async () => false,
  })(parameters, attempt);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.data;
}

const marks = ({ windows, elements }: ScreenDescription) =>
  [...windows, ...elements].flatMap((each) => (each.missing === undefined ? [] : [[nameOf(each), each.missing]]));

const nameOf = (each: { title: string } | { name: string }) => ('title' in each ? each.title : each.name);

const FRAMED = (...children: Part[]) => part(FRAME, 'Orders', children);
const page = (more: Partial<Part> = {}, ...children: Part[]) => part(PAGE, 'Orders', children, more);
const save = part(BUTTON, 'Save');
const many = (count: number, role: number) => Array.from({ length: count }, (_, index) => part(role, `entry ${index}`));

describe('each way in which a part can be missing', () => {
  const withContents = { contents: true };
  const ways: [string, Scene, [string, string][], RegExp][] = [
    [
      'a page without contents',
      { bus: busOf(FRAMED(save, page({}, part(LABEL, 'secret')))) },
      [['Orders', 'contents_left_out']],
      /document "Orders" \[its contents need contents: true, which asks\]/,
    ],
    [
      'a text without contents',
      { bus: busOf(FRAMED(part(TOOLBAR, '', [save, part(BOX, '', [part(LABEL, 'secret')])]))) },
      [['', 'contents_left_out']],
      /toolbar \[its contents need contents: true/,
    ],
    [
      'a value without contents',
      { bus: busOf(FRAMED(save, part(ENTRY, 'Note', [], { text: 'secret' }))) },
      [['Note', 'contents_left_out']],
      /textbox "Note" @\d+ \[its contents/,
    ],
    [
      'a page that its browser has not told yet',
      { bus: busOf(FRAMED(save, page({ noPlace: true })), 'Chromium'), parameters: withContents },
      [['Orders', 'app_slow']],
      /document "Orders" \[did not answer in time\]/,
    ],
    [
      'a page that Firefox does not tell at the first question',
      { bus: busOf(FRAMED(save), 'Gecko'), parameters: withContents },
      [['Orders', 'app_slow']],
      /window "Orders" .*\[did not answer in time\]/,
    ],
    [
      'a part that does not say what is in it',
      { bus: busOf(FRAMED(save, part(TOOLBAR, 'Main', [save], { silent: true }))), parameters: withContents },
      [['Main', 'app_slow']],
      /toolbar "Main" \[did not answer in time\]/,
    ],
    [
      'more in one part than is read',
      { bus: busOf(FRAMED(part(TOOLBAR, 'Main', many(201, BUTTON)))), parameters: withContents },
      [['Main', 'elements_cut']],
      /toolbar "Main" \[more in it than is told\]/,
    ],
    [
      'more elements than are asked for',
      { bus: busOf(FRAMED(part(TOOLBAR, 'Main', many(5, BUTTON)))), parameters: { contents: true, maxElements: 4 } },
      [['Main', 'elements_cut']],
      /toolbar "Main" \[more in it/,
    ],
    [
      'a text that is too long',
      { bus: busOf(FRAMED(save, part(ENTRY, 'Note', [], { text: 'x'.repeat(10_001) }))), parameters: withContents },
      [['Note', 'text_cut']],
      /\(9000 more characters\)" @\d+ \[cut\]/,
    ],
    [
      'a window that tells nothing',
      { bus: busOf(FRAMED()) },
      [['Orders', 'window_without_tree']],
      /window "Orders" of Shop id=w1.* \[tells nothing; contents: true reads it by OCR, which asks\]/,
    ],
    [
      'a window that is read by OCR',
      { bus: busOf(FRAMED()), parameters: withContents },
      [['Orders', 'read_by_ocr']],
      /\[tells nothing; read by OCR\]\n(?:.*\n)* text "read"/,
    ],
    [
      'a window that could not be read',
      { bus: busOf(FRAMED()), parameters: withContents, unread: true },
      [['Orders', 'text_unread']],
      /\[tells nothing, and its text could not be read\]/,
    ],
    [
      'an app that does not answer at all',
      { bus: lateBus(busOf(FRAMED(save))), parameters: withContents },
      [['Orders', 'app_slow']],
      /window "Orders" of Shop id=w1.* \[did not answer in time\]/,
    ],
    [
      'apps that cannot be asked',
      { bus: { ...busOf(FRAMED()), apps: async () => null } },
      [['Orders', 'accessibility_off']],
      /\[its controls cannot be asked for\]/,
    ],
  ];

  test.each(ways)('%s: a line at its place, the reason, and not complete', async (_way, scene, expected, line) => {
    const seen = await look(scene);
    expect(marks(seen)).toEqual(expected);
    expect(seen.complete).toBe(false);
    expect(seen.degradedReasons.map(({ code }) => code)).toEqual(
      expect.arrayContaining(expected.map(([, code]) => code)),
    );
    const outlined = createScreenTexts()(seen, {}, createRefs());
    expect(outlined.ok && outlined.data).toMatchObject({ complete: false, text: expect.stringMatching(line) });
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  test('an overview is never complete where there are elements', async () => {
    const seen = await look({ bus: busOf(FRAMED(save)), parameters: withContents });
    expect(seen.complete).toBe(true);
    const outlined = createScreenTexts()(seen, { depth: 'overview' }, createRefs());
    expect(outlined.ok && outlined.data).toMatchObject({ complete: false, degradedReasons: [{ code: 'overview' }] });
  });
});

const OWN = 'http://127.0.0.1:4319/#/requests';
const asked = part(LABEL, 'secret');

test('N49: nothing in a document of Handrail is told, also in a frame, and its line says so', async () => {
  noteOwnAddress(OWN);
  onTestFinished(() => noteOwnAddress(''));
  const frame = part(PAGE, 'Frame', [asked], { url: OWN });
  for (const shown of [
    page({ url: OWN }, part(BOX, '', [asked])),
    page({ url: 'http://shop.example/' }, part(LABEL, 'price'), frame),
  ]) {
    const seen = await look({ bus: busOf(FRAMED(save, shown), 'Chromium'), parameters: { contents: true } });
    expect(marks(seen)).toEqual([[shown.url === OWN ? 'Orders' : 'Frame', 'own_page']]);
    expect(seen).toMatchObject({ complete: false, degradedReasons: [{ code: 'own_page' }] });
    const outlined = createScreenTexts()(seen, {}, createRefs());
    const line = /document "\w+" \[Handrail's own page is not told\]/;
    expect(outlined.ok && outlined.data.text).toMatch(line);
    expect(JSON.stringify([seen, outlined])).not.toContain('secret');
    expect(JSON.stringify(seen).includes('price')).toBe(shown.url !== OWN);
  }
});

test('N49: where a browser tells no address, the title of its window says that it is a document of Handrail', async () => {
  const title = '(1) Handrail · Activity - Chromium';
  const bus = busOf(part(FRAME, title, [save, page({}, asked)]), 'Chromium');
  const seen = await look({ bus, parameters: { contents: true }, title });
  expect(marks(seen)).toEqual([['Orders', 'own_page']]);
  expect(JSON.stringify(seen)).not.toContain('secret');
});

test('N49: a window of the dashboard that tells nothing is not read by OCR', async () => {
  const title = '(1) Handrail · Activity - Chromium';
  const seen = await look({ bus: busOf(part(FRAME, title)), parameters: { contents: true }, title });
  expect(seen).toMatchObject({ text: [], complete: false, windows: [{ missing: 'own_page' }] });
});

test('of a list whose first 200 entries are scrolled away, those in view are read', async () => {
  const items = many(1_000, ITEM).map((item, index) => ({ ...item, hidden: index < 600 || index >= 610 }));
  const bus = busOf(FRAMED(part(LIST, 'All', items)));
  const scrolled: AccessibilityBus = {
    ...bus,
    ask: async (ref, question, timeoutMs) => {
      const index = Number(ref.path.slice(2)) - 2;
      if (question.member === 'GetExtents' && index >= 0) return [[10, 10 + (index - 600) * 20, 100, 20]];
      return bus.ask(ref, question, timeoutMs);
    },
  };
  const { elements, degradedReasons } = await look({ bus: scrolled, parameters: { contents: true } });
  expect(elements.filter(({ role }) => role === 'listitem').map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, index) => `entry ${600 + index}`),
  );
  expect(elements.find(({ role }) => role === 'list')?.beyond).toEqual({ above: 600, below: 390 });
  expect(degradedReasons.map(({ code }) => code)).toEqual(['list_goes_on']);
});

test('random trees with random parts withheld are complete exactly where nothing shown was withheld', async () => {
  const leaf = fc
    .constantFrom(BUTTON, LABEL, ENTRY)
    .map((role) => part(role, `n${role}`, [], role === ENTRY ? { text: 't' } : {}));
  const { tree } = fc.letrec<{ tree: Part }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc
        .record({
          role: fc.constantFrom(BOX, TOOLBAR, PAGE),
          children: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
          silent: fc.boolean(),
          hidden: fc.boolean(),
        })
        .map(({ role, children, silent, hidden }) => part(role, `g${role}`, children, { silent, hidden })),
    ),
  }));
  const isWithheld = (each: Part, contents: boolean): boolean => {
    if (each.hidden === true) return false;
    const isContent = [LABEL, ENTRY, PAGE].includes(each.role);
    if (isContent && !contents) return true;
    return each.silent === true || each.children.some((child) => isWithheld(child, contents));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 4 }), fc.boolean(), async (parts, contents) => {
      const seen = await look({ bus: busOf(FRAMED(save, ...parts)), parameters: { contents } });
      expect(seen.complete).toBe(!parts.some((each) => isWithheld(each, contents)));
      expect(marks(seen).length > 0).toBe(!seen.complete);
    }),
    { numRuns: 300 },
  );
});
