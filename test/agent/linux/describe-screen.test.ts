import { expect, test } from 'vitest';
import type { ElementsRequest } from '../../../agent/drivers/linux/accessibility.ts';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { type AccessibleTree, collectTrees } from '../../../agent/drivers/linux/accessible-tree.ts';
import { createLinuxDescription } from '../../../agent/drivers/linux/describe-screen.ts';
import type { XWindow } from '../../../agent/drivers/linux/x-window.ts';
import type { X11 } from '../../../agent/drivers/linux/x11.ts';
import { busThat } from './accessible-fakes.ts';
import { xWindow } from './x-window.ts';

const attempt = { signal: new AbortController().signal, deadlineMs: 30_000 };
const monitor = { name: 'A', bounds: { x: 0, y: 0, width: 1_000, height: 800 } };

/** Describes a screen with these windows, whose apps tell nothing. */
async function described(windows: XWindow[]) {
  const requests: ElementsRequest[] = [];
  const x11: Pick<X11, 'layout' | 'desktop'> = {
    layout: async () => ({
      ok: true,
      value: { width: 1_000, height: 800, depth: 24, monitors: [monitor], connection: 1 },
    }),
    desktop: async () => ({ ok: true, value: { windows, hasWindowManager: true, revision: 1 } }),
  };
  const describeScreen = createLinuxDescription({
    x11: x11 as X11,
    readElements: async (request) => {
      requests.push(request);
      return {
        elements: [],
        focusedElement: null,
        treelessWindows: [],
        late: [],
        apps: [],
        trees: [],
        isWhole: true,
        degradedReasons: [],
      };
    },
    entries: { list: async () => [] },
    texts: { read: async () => ({ text: [], unread: [], degradedReasons: [] }) },
    isSwitchedOff: async () => false,
  });
  return { outcome: await describeScreen({}, attempt), requests };
}

test('the apps are asked for 1,500 elements where the caller names no number', async () => {
  expect((await described([])).requests).toMatchObject([{ maxElements: 1_500 }]);
});

test('what is told in words has 10,000 characters at most', async () => {
  const windows = Array.from({ length: 9 }, (_, index) =>
    xWindow({ id: `w${index}`, className: 'Trial', title: 't'.repeat(3_000) }),
  );
  const { outcome } = await described(windows);
  expect(outcome.ok ? outcome.details : '').toHaveLength(10_000);
});

const LIST = 31;

/** The states of an object that is shown, as AT-SPI tells them: enabled, showing and visible. */
const SHOWN = [(1 << 8) | (1 << 25) | (1 << 30), 0];

/** A bus with one app, which has one window of this role with so many children, and no cache. */
function busWith(children: number, role = 23): AccessibilityBus {
  const answers: Record<string, (path: string) => unknown> = {
    GetRole: (path) => (path === '/window' ? role : 32),
    GetState: () => SHOWN,
    GetInterfaces: () => [],
    GetItems: () => undefined,
    GetChildren: (path) => refs(path).slice(0, path === '/window' ? children : 1),
  };
  const refs = (path: string) =>
    path === '/app'
      ? [[':1.1', '/window']]
      : Array.from({ length: children }, (_, index) => [':1.1', `/child${index}`]);
  const countOf = (path: string) => ({ '/app': 1, '/window': children })[path] ?? 0;
  const answerTo = ({ path }: { path: string }, { member, body }: Question) => {
    if (member === 'GetChildAtIndex') return refs(path)[Number(body?.[0])];
    if (member === 'Get') return body?.[1] === 'ChildCount' ? countOf(path) : 'name';
    return answers[member]?.(path);
  };
  return busThat(async (ref, question) => [answerTo(ref, question)]);
}

test.each([
  [200, 200, false],
  [201, 200, true],
])('of %i children of an object %i are read, and the rest is cut: %s', async (children, read, cut) => {
  const app = { root: { bus: ':1.1', path: '/app' }, pid: 1, toolkit: 'gtk' };
  const trees = await collectTrees(busWith(children), {
    app,
    contents: true,
    maxNodes: 10_000,
    timeLeftMs: () => 1_000,
  });
  const windows = trees.toplevels.map((window: AccessibleTree) => window.children.length);
  expect([windows, trees.cut]).toEqual([[read], cut]);
});

test.each([
  [200, true, { before: 0, after: 0, perRow: 1 }],
  [5_000, true, { before: 0, after: 4_800, perRow: 1 }],
  [5_000, false, undefined],
])(
  'of a list of %i entries, with contents: %s, those that are not read are counted: %j',
  async (count, contents, others) => {
    const app = { root: { bus: ':1.1', path: '/app' }, pid: 1, toolkit: 'gtk' };
    const request = { app, contents, maxNodes: 10_000, timeLeftMs: () => 1_000 };
    const trees = await collectTrees(busWith(count, LIST), request);
    expect([trees.toplevels[0]?.others, trees.cut]).toEqual([others, false]);
  },
);
