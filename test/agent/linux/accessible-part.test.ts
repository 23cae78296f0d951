import { expect, test } from 'vitest';
import type { AccessibilityBus } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { type Parents, readPart } from '../../../agent/drivers/linux/accessible-part.ts';
import type { AccessibleTree } from '../../../agent/drivers/linux/accessible-tree.ts';
import { busThat } from './accessible-fakes.ts';
import { xWindow } from './x-window.ts';

const NAME = ':1.7';
const PANEL_ROLE = 39;
const FRAME_ROLE = 23;
const SHOWING = 1 << 25;

/** An app whose objects hang as `parents` says, and how often somebody had to wait for its answers. */
function appWith(parents: Readonly<Record<string, string>>, matches: readonly string[] = []) {
  const waits = { count: 0, questions: 0 };
  let answered: Promise<void> | undefined;
  const together = () => {
    if (answered === undefined) {
      waits.count += 1;
      answered = new Promise((resolve) => {
        setImmediate(() => {
          answered = undefined;
          resolve();
        });
      });
    }
    return answered;
  };
  const answers = (path: string): Record<string, unknown> => ({
    GetMatches: matches.map((match) => [NAME, match]),
    GetChildren: Object.keys(parents)
      .filter((child) => parents[child] === path)
      .map((child) => [NAME, child]),
    GetRole: parents[path] === '/root' ? FRAME_ROLE : PANEL_ROLE,
    GetState: [SHOWING, 0],
    GetInterfaces: [],
    GetAll: { Parent: [NAME, parents[path]], Name: path, Description: '', ChildCount: 1 },
  });
  const bus = busThat(async ({ path }, { member }) => {
    waits.questions += 1;
    await together();
    return path === '/root' || path in parents ? [answers(path)[member]] : null;
  });
  return { bus, waits };
}

async function wayTo(path: string, { bus, parents }: { bus: AccessibilityBus; parents: Parents }): Promise<string[]> {
  const app = { root: { bus: NAME, path: '/root' }, pid: 1, toolkit: 'Chromium' };
  const part = { kind: 'element', ref: { bus: NAME, path } } as const;
  const trees = await readPart(bus, { app, part, windows: [], timeLeftMs: () => 1_000 }, parents);
  const names = ({ node, children }: AccessibleTree): string[] => [node.name, ...children.flatMap(names)];
  return (trees ?? []).flatMap(names);
}

const DEEP = { '/window': '/root', '/a': '/window', '/b': '/a', '/c': '/b', '/d': '/c', '/e': '/d' };

test('an object that was read before, and all that it is in, are asked for at once', async () => {
  const parents: Parents = new Map();
  const first = appWith(DEEP);
  expect(await wayTo('/e', { bus: first.bus, parents })).toEqual(['/window', '/a', '/b', '/c', '/d', '/e']);
  const again = appWith(DEEP);
  expect(await wayTo('/e', { bus: again.bus, parents })).toEqual(['/window', '/a', '/b', '/c', '/d', '/e']);
  expect([first.waits.count, again.waits.count]).toEqual([6, 1]);
});

test('an object that hangs elsewhere by now is told where it is now', async () => {
  const parents: Parents = new Map();
  await wayTo('/e', { bus: appWith(DEEP).bus, parents });
  const moved = { '/window': '/root', '/other': '/window', '/c': '/other', '/d': '/c', '/e': '/d', '/b': '/window' };
  expect(await wayTo('/e', { bus: appWith(moved).bus, parents })).toEqual(['/window', '/other', '/c', '/d', '/e']);
});

test('an object of a window that is gone is not found, though it was there before', async () => {
  const parents: Parents = new Map();
  await wayTo('/e', { bus: appWith(DEEP).bus, parents });
  expect(await wayTo('/e', { bus: appWith({ '/window': '/root' }).bus, parents })).toEqual([]);
});

test('objects that say to be in each other end the look', async () => {
  const parents: Parents = new Map();
  const circle = { '/window': '/root', '/a': '/b', '/b': '/a' };
  expect(await wayTo('/a', { bus: appWith(circle).bus, parents })).toEqual([]);
  expect(await wayTo('/a', { bus: appWith(circle).bus, parents })).toEqual([]);
});

test.each([
  ['says that 100,000 objects have the focus', 100_000],
  ['has two of them', 2],
])('D5: an app that %s is asked few questions', async (_what, count) => {
  const matches = Array.from({ length: count }, (_, index) => `/n${index}`);
  const { bus, waits } = appWith({ '/window': '/root', '/n0': '/window', '/n1': '/n0' }, matches);
  const app = { root: { bus: NAME, path: '/root' }, pid: 1, toolkit: 'Chromium' };
  const window = { ...xWindow({ pid: 1, title: '/window' }), focused: true };
  const request = { app, part: { kind: 'focus' }, windows: [window], timeLeftMs: () => 1_000 } as const;
  const trees = await readPart(bus, request, new Map());
  expect(trees === null).toBe(count > 200);
  expect(waits.questions).toBeLessThan(20);
});
