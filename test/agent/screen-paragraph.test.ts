import { expect, test } from 'vitest';
import { screenParagraph } from '../../agent/drivers/looks/describe-screen.ts';
import type { ScreenDescription, ScreenWindow } from '../../src/contract/screen.ts';

function window(app: string, title: string, more: Partial<ScreenWindow> = {}): ScreenWindow {
  const bounds = { x: 0, y: 0, width: 1, height: 1 };
  return { id: `${app}${title}`, app, pid: 1, title, bounds, focused: false, onScreen: true, zIndex: 0, ...more };
}

function description(more: Partial<ScreenDescription>): ScreenDescription {
  const bounds = { x: 0, y: 0, width: 1280, height: 800 };
  return {
    displays: [{ id: 'a', name: 'A', primary: true, bounds, scale: 1 }],
    frontmostApp: more.windows?.find(({ focused }) => focused)?.app ?? null,
    apps: [],
    windows: [],
    elements: [],
    text: [],
    focusedElement: null,
    frameId: 'frame_1',
    complete: true,
    degradedReasons: [],
    ...more,
  };
}

const element = {
  id: 'e',
  role: 'button',
  name: 'OK',
  bounds: null,
  enabled: true,
  focused: false,
  actions: [],
  windowId: null,
  parentId: null,
  depth: 0,
};

test('says what is in front, what is behind and how much is described', () => {
  const windows = [
    window('TextEdit', 'notes.txt', { focused: true }),
    window('Safari', 'Weather'),
    window('Terminal', ''),
    window('Mail', 'Inbox', { onScreen: false }),
  ];
  expect(screenParagraph(description({ windows, elements: [element, element] }))).toBe(
    'TextEdit is in front with the window “notes.txt”. Behind it: Safari with “Weather” and Terminal. ' +
      'Not on the screen, because minimized or on another workspace: Mail with “Inbox”. 2 elements are described.',
  );
});

test('says what is missing', () => {
  const degradedReasons = [{ code: 'a', message: 'XTerm tells nothing.' }];
  expect(screenParagraph(description({ windows: [window('XTerm', 'sh')], complete: false, degradedReasons }))).toBe(
    'No window is in front. On the screen: XTerm with “sh”. This is not complete: XTerm tells nothing.',
  );
});

test('names eight windows and counts the rest', () => {
  const windows = Array.from({ length: 11 }, (_, index) => window('App', String(index)));
  expect(screenParagraph(description({ windows }))).toContain('App with “7”, and 3 more.');
});

test.each([
  ['an empty screen', {}, 'No window is on the screen.'],
  ['a front app without a window', { frontmostApp: 'Finder' }, 'Finder is in front, without a window.'],
  ['no display', { displays: [] }, 'There is no display to look at.'],
  [
    'a display that nobody has',
    { displays: [], degradedReasons: [{ code: 'display_unknown', message: 'There is no display “nope”.' }] },
    'There is no display “nope”.',
  ],
  [
    'a display that nobody has, where more is missing',
    {
      displays: [],
      degradedReasons: [
        { code: 'display_unknown', message: 'There is no display “nope”.' },
        { code: 'no_window_manager', message: 'No window manager runs.' },
      ],
    },
    'There is no display “nope”. This is not complete: No window manager runs.',
  ],
  [
    'one element and one line',
    { elements: [element], text: [{ text: 'a', bounds: { x: 0, y: 0, width: 1, height: 1 }, confidence: 1 }] },
    'No window is on the screen. 1 element and 1 line of text are described.',
  ],
  ['one element', { elements: [element] }, 'No window is on the screen. 1 element is described.'],
])('%s', (_what, more, expected) => {
  expect(screenParagraph(description(more))).toBe(expected);
});
