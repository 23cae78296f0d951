import { expect, test } from 'vitest';
import { ANTHROPIC } from '../../src/computer-use/anthropic.ts';
import { GEMINI } from '../../src/computer-use/gemini.ts';
import type { Input, View } from '../../src/computer-use/member.ts';
import { OPENAI } from '../../src/computer-use/openai.ts';
import type { Vendor } from '../../src/computer-use/perform.ts';
import { CATALOGUE } from '../../src/domain/catalogue.ts';

// A picture at half the size of a display left of the main one.
const FRAME = { source: { x: -2000, y: 100, width: 2000, height: 1000 }, image: { width: 1000, height: 500 } };
const VIEW = { platform: 'linux', display: FRAME.source, frame: FRAME, pointer: undefined } as const;
const INPUT = {
  duration: 1,
  seconds: 1,
  app_name: 'mousepad',
  region: [0, 0, 100, 50],
  url: 'https://example.com/',
  coordinate: [10, 10],
  start_coordinate: [1, 1],
  scroll_direction: 'down',
  scroll_amount: 2,
  direction: 'down',
  x: 10,
  y: 10,
  destination_x: 20,
  destination_y: 20,
  path: [[1, 1], { x: 9, y: 9 }],
  scroll_x: 0,
  scroll_y: 300,
};
/** A text of Anthropic is a text, a chord or modifiers, and OpenAI lists keys where Gemini writes them. */
const TEXTS: Readonly<Record<string, Input>> = {
  type: { text: 'one' },
  type_text_at: { text: 'one' },
  key: { text: 'ctrl+s' },
  hold_key: { text: 'shift+Down' },
  keypress: { keys: ['CTRL', 'S'] },
  key_combination: { keys: 'control+s' },
  press_key: { key: 'Enter' },
  hotkey: { keys: ['control', 's'] },
};
const members = [ANTHROPIC, OPENAI, GEMINI].flatMap((vendor) =>
  [...vendor.members].map(([name, member]) => ({ vendor, name, member })),
);

test.each(members)(
  '$vendor.name: $name is done by actions that exist, or says why it cannot be done',
  ({ vendor, name, member }) => {
    if ('never' in member) return expect(member.never).toMatch(/^(?:no key|the person|a desktop)/);
    const steps = member.steps({ ...INPUT, ...TEXTS[name] }, { ...VIEW, limits: vendor.limits });
    if ('fault' in steps) throw new Error(steps.fault);
    const checked = steps.map(({ actionType, parameters }) => CATALOGUE.get(actionType)?.check(parameters));
    expect(checked.map((each) => each?.ok && each.faults({}))).toEqual(steps.map(() => []));
  },
);

/** What a member submits but for the picture, or why it does not. */
function submits(vendor: Vendor, name: string, input: Input, view: Partial<View> = {}): unknown {
  const member = vendor.members.get(name);
  if (member === undefined || 'never' in member) return member;
  const steps = member.steps(input, { ...VIEW, limits: vendor.limits, ...view });
  if ('fault' in steps) return steps.fault;
  return steps
    .filter(({ isFrame }) => isFrame === undefined)
    .map(({ actionType, parameters }) => [actionType, parameters]);
}

const left = { button: 'left', count: 1 };

test('a pixel of the last picture is the middle of what it shows on the desktop', () => {
  const place = { x: -2000 + 2 * 100.5, y: 100 + 2 * 50.5 };
  expect(submits(ANTHROPIC, 'left_click', { coordinate: [100, 50] })).toEqual([['Click', { ...place, ...left }]]);
  expect(submits(OPENAI, 'click', { x: 100, y: 50, button: 'left' })).toEqual([['Click', { ...place, ...left }]]);
  expect(submits(GEMINI, 'click_at', { x: 100, y: 100 })).toEqual([['Click', { ...place, ...left }]]);
});

test('a frame that the agent keeps is named, and the pixel stays as it is', () => {
  const frame = { ...FRAME, frameId: 'frame-1' };
  const place = { frameId: 'frame-1', x: 100, y: 50 };
  expect(submits(OPENAI, 'move', { x: 100, y: 50 }, { frame })).toEqual([['MovePointer', place]]);
  expect(submits(GEMINI, 'hover_at', { x: 100, y: 100 }, { frame })).toEqual([['MovePointer', place]]);
});

test('a point outside of the picture, and any point before a first picture, is a fault', () => {
  for (const coordinate of [[1000, 10], [10, 500], [-1, 0], ['1', 2], [Number.NaN, 1], 'x', [1]])
    expect(submits(ANTHROPIC, 'left_click', { coordinate })).toMatch(/^a point within the last screenshot/);
  expect(submits(GEMINI, 'click_at', { x: 1001, y: 0 })).toMatch(/^a point within/);
  expect(submits(OPENAI, 'click', { x: 1, y: 1 }, { frame: undefined })).toMatch(/^take a screenshot first/);
});

test('a call of Anthropic without coordinates means the place where its last one left the pointer', () => {
  const pointer = { x: 0, y: 0 };
  const at = { x: -1999, y: 101 };
  expect(submits(ANTHROPIC, 'left_click', {}, { pointer })).toEqual([['Click', { ...at, ...left }]]);
  expect(submits(ANTHROPIC, 'left_click_drag', { coordinate: [1, 0] }, { pointer })).toEqual([
    ['Drag', { from: at, to: { x: -1997, y: 101 } }],
  ]);
  expect(submits(ANTHROPIC, 'left_click', {})).toMatch(/^a point within/);
});

test('buttons, counts and held keys keep their meaning', () => {
  const rest = (value: unknown) => Object(value)[0]?.[1];
  expect(rest(submits(ANTHROPIC, 'triple_click', { coordinate: [1, 1] }))).toMatchObject({ button: 'left', count: 3 });
  expect(rest(submits(ANTHROPIC, 'right_click', { coordinate: [1, 1], text: 'ctrl+shift' }))).toMatchObject({
    button: 'right',
    count: 1,
    modifiers: ['ctrl', 'shift'],
  });
  expect(rest(submits(OPENAI, 'click', { x: 1, y: 1, button: 'wheel', keys: ['CTRL'] }))).toMatchObject({
    button: 'middle',
    modifiers: ['ctrl'],
  });
  expect(submits(OPENAI, 'click', { x: 1, y: 1, button: 'back' })).toMatch(/^button is expected/);
  expect(submits(ANTHROPIC, 'left_click', { coordinate: [1, 1], text: 'q' })).toMatch(/^Expected one of cmd/);
});

test.each([
  [ANTHROPIC, 'key', { text: 'Return' }, ['Return']],
  [ANTHROPIC, 'key', { text: 'ctrl+shift+T' }, ['ctrl+shift+T']],
  [ANTHROPIC, 'key', { text: 'A' }, ['shift+a']],
  [ANTHROPIC, 'key', { text: 'Tab Tab space' }, ['Tab', 'Tab', 'space']],
  [ANTHROPIC, 'key', { text: 'ctrl++' }, ['ctrl+plus']],
  [ANTHROPIC, 'key', { text: 'ctrl+minus' }, ['ctrl+-']],
  [ANTHROPIC, 'key', { text: 'Page_Down' }, ['Page_Down']],
  [OPENAI, 'keypress', { keys: ['CTRL', 'L'] }, ['CTRL+L']],
  [OPENAI, 'keypress', { keys: ['A'] }, ['a']],
  [OPENAI, 'keypress', { keys: ['ARROWLEFT'] }, ['ARROWLEFT']],
  [GEMINI, 'key_combination', { keys: 'control+a' }, ['control+a']],
  [GEMINI, 'go_back', {}, ['alt+left']],
] as const)('the keys of %s are read: %s %j', (vendor, name, input, keys) => {
  expect(submits(vendor, name, input)).toEqual(keys.map((each) => ['PressKeys', { keys: each }]));
});

test('keys that no keyboard has, a modifier alone and a chord of two keys are faults', () => {
  for (const text of ['super', 'hyper+x', 'a+b', 'ctrl+nokey'])
    expect(submits(ANTHROPIC, 'key', { text })).toMatch(/^Expected/);
  expect(submits(ANTHROPIC, 'key', { text: 'Tab nokey' })).toMatch(/^Expected/);
  expect(submits(ANTHROPIC, 'hold_key', { text: 'a', duration: 6 })).toMatch(/from 0 to 5\.$/);
});

test('a distance of the wheel becomes notches, one at least and a hundred at most', () => {
  const dy = (value: unknown) => Object(value)[0]?.[1].dy;
  expect(dy(submits(ANTHROPIC, 'scroll', { coordinate: [1, 1], scroll_direction: 'up', scroll_amount: 5 }))).toBe(-5);
  expect(dy(submits(OPENAI, 'scroll', { x: 1, y: 1, scroll_x: 0, scroll_y: 300 }))).toBe(3);
  expect(dy(submits(OPENAI, 'scroll', { x: 1, y: 1, scroll_x: 0, scroll_y: -10 }))).toBe(-1);
  expect(dy(submits(OPENAI, 'scroll', { x: 1, y: 1, scroll_x: 0, scroll_y: 1e9 }))).toBe(100);
  expect(dy(submits(GEMINI, 'scroll_at', { x: 1, y: 1, direction: 'down', magnitude: 500 }))).toBe(5);
  expect(dy(submits(GEMINI, 'scroll_document', { direction: 'down' }))).toBe(8);
  expect(submits(OPENAI, 'scroll', { x: 1, y: 1 })).toMatch(/^a distance/);
  expect(submits(GEMINI, 'scroll_at', { x: 1, y: 1, direction: 'in' })).toMatch(/^a direction/);
});

test('a path that bends is a fault, for a drag goes straight', () => {
  const straight = [...Array(6).keys()].map((at) => ({ x: at * 50, y: at * 20 }));
  expect(submits(OPENAI, 'drag', { path: straight })).toEqual([
    ['Drag', { from: { x: -1999, y: 101 }, to: { x: -1499, y: 301 } }],
  ]);
  const bent = straight.with(3, { x: 150, y: 90 });
  expect(submits(OPENAI, 'drag', { path: bent })).toMatch(/^the path bends/);
  // Beyond its end and back again.
  const back = [...straight, { x: 400, y: 160 }, { x: 250, y: 100 }];
  expect(submits(OPENAI, 'drag', { path: back })).toMatch(/^the path bends/);
  expect(submits(OPENAI, 'drag', { path: [[1, 1]] })).toMatch(/^path is expected/);
});

test('a text of Gemini clears the field and ends with Return, unless the call says otherwise', () => {
  const place = { x: -1999, y: 101 };
  expect(submits(GEMINI, 'type_text_at', { x: 0, y: 0, text: 'one' })).toEqual([
    ['TypeText', { text: 'one', ...place, clear: true }],
    ['PressKeys', { keys: 'enter' }],
  ]);
  const as = { clear_before_typing: false, press_enter: false };
  expect(submits(GEMINI, 'type_text_at', { x: 0, y: 0, text: 'one', ...as })).toEqual([
    ['TypeText', { text: 'one', ...place }],
  ]);
  expect(submits(GEMINI, 'type', { text: 'one' })).toEqual([['TypeText', { text: 'one' }]]);
  expect(submits(OPENAI, 'type', { text: 'x'.repeat(10_001) })).toMatch(/^text is expected/);
});

test('an address without a scheme is one of https, and another scheme is left to the rules', () => {
  expect(submits(GEMINI, 'navigate', { url: 'example.com' })).toEqual([['OpenUrl', { url: 'https://example.com' }]]);
  expect(submits(GEMINI, 'navigate', { url: 'file:///etc/passwd' })).toEqual([
    ['OpenUrl', { url: 'file:///etc/passwd' }],
  ]);
});
