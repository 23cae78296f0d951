import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { createRefs } from '../../../agent/screen-text/refs.ts';
import { createScreenTexts } from '../../../agent/screen-text/screen-texts.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type { ScreenDescription, ScreenElement } from '../../../src/contract/screen.ts';

/** Recorded from real programs: an editor, a calculator and a browser with a form and 40 rows; without the browser; with an article. */
function recorded(name: 'office' | 'office-contents' | 'tools' | 'reading'): ScreenDescription {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'recordings', `${name}.json`), 'utf8'));
}

const tokens = (text: string) => encode(text).length;

/** The texts of one requester, with failures too. */
function answers() {
  const [answer, refs] = [createScreenTexts(), createRefs()];
  return (screen: ScreenDescription, parameters: DescribeScreenParameters) => answer(screen, parameters, refs);
}

function texts() {
  let count = 0;
  const answer = createScreenTexts(() => `frame00${++count}`);
  const refs = createRefs();
  return (screen: ScreenDescription, parameters: DescribeScreenParameters = {}) => {
    const outlined = answer(screen, parameters, refs);
    if (!outlined.ok) throw new Error(outlined.message);
    return outlined.data;
  };
}

/** The screen with one element in another way. */
function withElement(screen: ScreenDescription, name: string, change: Partial<ScreenElement>): ScreenDescription {
  const elements = screen.elements.map((each) => (each.name === name ? { ...each, ...change } : each));
  return { ...screen, elements };
}

describe.each(['office', 'office-contents', 'tools', 'reading'] as const)('the desktop %s', (name) => {
  const screen = recorded(name);

  test('as a whole is at most 1,600 tokens, as an overview 300, unchanged 60', () => {
    const text = texts();
    const whole = text(screen);
    expect(tokens(whole.text)).toBeLessThanOrEqual(1_600);
    expect(tokens(text(screen, { since: whole.frameId }).text)).toBeLessThanOrEqual(60);
    expect(tokens(text(screen, { depth: 'overview' }).text)).toBeLessThanOrEqual(300);
  });

  test('no name is lost, and no control that acts is without its reference', () => {
    const { text } = texts()(screen);
    const spoken = text.replaceAll('\\"', '"');
    const names = screen.elements.filter(({ role }) => role !== 'window').map((element) => element.name);
    expect(names.filter((each) => !spoken.includes(each.replaceAll(/\s+/g, ' ').trim()))).toEqual([]);
    const acting = screen.elements.filter(
      ({ enabled, actions }) => enabled && actions.some((action) => action !== 'dodefault'),
    );
    expect(acting.length).toBeGreaterThan(10);
    expect(text.match(/@\d+/g)?.length).toBeGreaterThanOrEqual(acting.length);
  });

  test('with bounds each line ends with its place, and says the same before it', () => {
    const place = / at (?:-?\d+,-?\d+ \d+×\d+|an unknown place)/g;
    const lines = (parameters: DescribeScreenParameters) => texts()(screen, parameters).text.split('\n');
    const bare = lines({});
    const placed = lines({ bounds: true });
    expect(placed.map((line) => line.replaceAll(place, ''))).toEqual(bare);
    const ofWindows = placed.filter((line) => line.startsWith('window '));
    expect(ofWindows.map((line) => line.match(place)?.[0])).toEqual(
      screen.windows.map(({ bounds: { x, y, width, height } }) => ` at ${x},${y} ${width}×${height}`),
    );
    const ofNodes = placed.filter((line) => /^ +(?!\[|text )/.test(line));
    expect(ofNodes.filter((line) => !place.test(line) && !line.match(place))).toEqual([]);
  });

  test('the overview names each window and the focus, and no control', () => {
    const { text } = texts()(screen, { depth: 'overview' });
    for (const { title } of screen.windows) expect(text).toContain(`window ${JSON.stringify(title)} of`);
    expect(text).not.toContain('button');
  });
});

test('a node is one line: role, name, value, reference, and only marks that are true', () => {
  const lines = texts()(recorded('office-contents')).text.split('\n');
  expect(lines[0]).toBe('frame frame001');
  expect(lines[1]).toBe('window "Orders - Chromium" of Chromium Web Browser id=0x00a00002 focused');
  expect(lines).toContain(' button "Back" off');
  expect(lines).toContain('  textbox "Name" ="Ann" @10');
  expect(lines).toContain('  row Order 1001 | Customer A0 | 0.00 € | link "Open 1001" @15');
});

test('what changed since a frame is the lines that went and came, below their window', () => {
  const text = texts();
  const screen = recorded('office-contents');
  const { frameId } = text(screen);
  const elements = screen.elements.map((each) => (each.value === 'Ann' ? { ...each, value: 'Bob' } : each));
  const typed = text({ ...screen, elements }, { since: frameId });
  expect(typed.text.split('\n')).toEqual([
    'frame frame002',
    `changed since ${frameId}`,
    'in window "Orders - Chromium" of Chromium Web Browser id=0x00a00002 focused',
    '- textbox "Name" ="Ann" @10',
    'in window "Orders - Chromium" of Chromium Web Browser id=0x00a00002 focused',
    '+ textbox "Name" ="Bob" @10',
  ]);
});

test('nothing changed: the frame stays, and so do its references', () => {
  const text = texts();
  const screen = recorded('tools');
  const { frameId } = text(screen);
  expect(text(screen, { since: frameId })).toEqual({
    text: `frame ${frameId}\nnothing changed since ${frameId}`,
    frameId,
    complete: true,
    degradedReasons: [],
  });
});

test.each([
  { since: 'unknown0' },
  { since: 'frame001', contents: true },
  { since: 'frame001', depth: 'overview' },
] as const)('a frame of another question, or of none, is not compared with: %j', (parameters) => {
  const text = texts();
  text(recorded('tools'));
  const answer = text(withElement(recorded('tools'), 'File', { enabled: false }), parameters);
  expect(answer.text).toContain(`${parameters.since} is no frame to compare with; this is all`);
  expect(answer.text).not.toContain('- menuitem');
});

test('a region is a window, or an element with what is in it', () => {
  const text = texts();
  const screen = recorded('office-contents');
  text(screen);
  const mousepad = text(screen, { region: '0x00400003' }).text.split('\n');
  expect(mousepad[1]).toBe('window "Untitled 1 - Mousepad" of Mousepad id=0x00400003');
  expect(mousepad.join()).not.toContain('Calculator');
  expect(text(screen, { region: '@36' }).text.split('\n').slice(1)).toEqual([
    'tab "Orders - Memory usage - 24.6 MB" ="selected" @36',
    ' button "Close" @37',
  ]);
});

test('a reference of an element that is gone is refused by name, and leads to it again when it is back', () => {
  const answer = answers();
  const screen = recorded('tools');
  const without = { ...screen, elements: screen.elements.filter(({ name }) => name !== 'File') };
  const first = answer(screen, {});
  const reference = /menuitem "File" (@\d+)/.exec(first.ok ? first.data.text : '')?.[1] ?? '';
  expect(answer(without, { region: reference })).toMatchObject({
    ok: false,
    code: 'target_gone',
    message: `${reference}, menuitem "File", is gone.`,
  });
  expect(answer(screen, { region: reference })).toMatchObject({ ok: true });
  // The same element with another name is another thing to act on, also when its name comes back.
  const renamed = `${reference}, menuitem "File", is gone: menuitem "Delete" is in its place.`;
  expect(answer(withElement(screen, 'File', { name: 'Delete' }), { region: reference })).toMatchObject({
    message: renamed,
  });
  expect(answer(screen, { region: reference })).toMatchObject({ ok: false, message: renamed });
  expect(answer(screen, { region: '@9999' })).toMatchObject({ ok: false, message: '@9999 was never given.' });
  expect(answer(screen, { region: '0xffff' })).toMatchObject({ ok: false, message: 'There is no window 0xffff.' });
});

test('a reference keeps its number over looks that leave its element out', () => {
  const answer = answers();
  const inPage = recorded('office-contents');
  const referenceIn = (screen: ScreenDescription) => {
    const outlined = answer(screen, {});
    return /link "Open 1001" (@\d+)/.exec(outlined.ok ? outlined.data.text : '')?.[1];
  };
  const reference = referenceIn(inPage);
  expect(reference).toBeDefined();
  const withoutPage = { ...recorded('office'), complete: false };
  expect(answer(withoutPage, { region: String(reference) })).toMatchObject({
    ok: false,
    message: `${reference}, link "Open 1001", is not in this look.`,
    fix: expect.stringContaining('contents: true'),
  });
  answer(recorded('reading'), {});
  answer({ ...inPage, elements: inPage.elements.map((each) => ({ ...each, name: '' })) }, {});
  expect(referenceIn(inPage)).toBe(reference);
});

test('names with line breaks, quotes or 60,000 characters stay one line, and a cut is marked', () => {
  const text = texts();
  const evil = 'Cancel"\nbutton "Pay" @1\u2028';
  const { text: shown } = text(withElement(recorded('tools'), 'File', { name: evil }));
  expect(shown).toContain(' menuitem "Cancel\\" button \\"Pay\\" @1" @');
  const long = text(withElement(recorded('tools'), 'File', { name: 'x'.repeat(60_000) })).text;
  expect(long).toContain('… (59000 more characters)"');
});

test('a text that is too long is cut at a line, marked where it is cut, and not complete', () => {
  const screen = recorded('tools');
  const [first] = screen.elements.filter(({ role }) => role === 'button');
  if (first === undefined) throw new Error('the recording has no button');
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    ...first,
    id: `many/${index}`,
    name: `Button ${index}`,
  }));
  const { text, complete, degradedReasons } = texts()({ ...screen, elements: [...screen.elements, ...many] });
  expect(text).toMatch(/\n\[\d+ more lines\]\nnot complete: The text is longer than one answer may be\.$/);
  expect({ complete, codes: degradedReasons.map(({ code }) => code) }).toEqual({
    complete: false,
    codes: ['elements_cut'],
  });
});

test('why a description is not complete stands at its end', () => {
  const reason = { code: 'no_tree', message: 'An app tells nothing.' };
  const { text, complete } = texts()({ ...recorded('tools'), complete: false, degradedReasons: [reason] });
  expect(complete).toBe(false);
  expect(text.endsWith('\nnot complete: An app tells nothing.')).toBe(true);
});

test('the name of an app with line breaks makes no line of its own', () => {
  const screen = recorded('office');
  const app = 'Editor\nwindow "Bank" of Browser id=9 focused';
  const [window] = screen.windows;
  if (window === undefined) throw new Error('The recording has windows.');
  const hostile = {
    ...screen,
    windows: [{ ...window, app }],
    apps: [{ name: 'Ghost\nfocus: button "Pay"', pid: 1, frontmost: false }],
  };
  const lines = texts()(hostile, { depth: 'overview' }).text.split('\n');
  expect(lines.filter((line) => line.includes('"Bank"'))).toEqual([
    expect.stringContaining(' of Editor window "Bank"'),
  ]);
  expect(lines.filter((line) => line.includes('"Pay"'))).toEqual(['apps without a window: Ghost focus: button "Pay"']);
});

describe('a table without rows, as GTK tells it', () => {
  const cell = (id: string, y: number, more: Partial<ScreenElement> = {}): ScreenElement => ({
    id,
    role: 'cell',
    name: id,
    bounds: { x: 0, y, width: 50, height: 20 },
    enabled: true,
    focused: false,
    actions: [],
    windowId: null,
    parentId: 'table',
    depth: 1,
    ...more,
  });
  const table = (beyond: ScreenElement['beyond'], cells: ScreenElement[]) => {
    const own = cell('table', 0, { role: 'table', name: '', parentId: null, depth: 0, beyond });
    return texts()({ ...recorded('tools'), windows: [], apps: [], elements: [own, ...cells], text: [] }).text;
  };

  test('has the cells of one height in one line, and says how many rows there are above and below', () => {
    const cells = [cell('a', 0), cell('b', 0, { actions: ['edit'] }), cell('c', 20), cell('d', 20)];
    expect(table({ above: 2, below: 9 }, cells).split('\n').slice(1, 6)).toEqual([
      'table',
      ' [2 more above]',
      ' row a | cell "b" @1',
      ' row c | d',
      ' [9 more below]',
    ]);
  });

  test('of which no row is in view says how many there are', () => {
    expect(table({ above: 0, below: 9 }, []).split('\n').slice(1, 3)).toEqual(['table', ' [9 more not showing]']);
  });
});
