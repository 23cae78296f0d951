import { expect, test } from 'vitest';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import { othersAt } from '../../../agent/drivers/linux/input/others-at.ts';
import { readNode } from '../../../agent/drivers/linux/read-node.ts';

const BUTTON = 43;
const DOCUMENT = 95;
const point = { x: 10, y: 10 };

/** `url`: of a document. */
type Told = { name: string; parent: string; url?: string };
type Page = { objects?: Record<string, Told>; at: string | null; later?: string };

/** A page with a control in it. `objects`: what else it has, by path. `at`: the path that it names for a point, and `later` when it is asked again. */
async function page({ objects = {}, at, later }: Page) {
  let asked = 0;
  const told: Record<string, Told> = {
    '/window': { name: 'Window', parent: '/' },
    '/page': { name: 'Page', parent: '/window', url: 'https://a.example/' },
    '/home': { name: 'Home', parent: '/page' },
    ...objects,
  };
  const bus: Pick<AccessibilityBus, 'ask'> = {
    async ask({ path }, { member }: Question) {
      if (member === 'GetAccessibleAtPoint') {
        asked += 1;
        const named = asked === 1 ? at : (later ?? at);
        return named === null ? null : [['app', named]];
      }
      const one = told[path];
      if (one === undefined) return null;
      const answers: Record<string, unknown> = {
        GetAttributeValue: one.url,
        GetRole: one.url === undefined ? BUTTON : DOCUMENT,
        GetState: [0, 0],
        GetInterfaces: '/window /page'.includes(path) ? ['org.a11y.atspi.Document'] : [],
        GetAll: { Parent: ['app', one.parent], Name: one.name, Description: '', ChildCount: 0 },
      };
      return [answers[member]];
    },
  };
  const nodes = await Promise.all(
    ['/home', '/page', '/window'].map((path) => readNode(bus as AccessibilityBus, { bus: 'app', path }, () => 1_000)),
  );
  const above = nodes.filter((node): node is AccessibleNode => node !== null);
  const app = { root: { bus: 'app', path: '/' }, pid: 1, toolkit: 'Chromium' };
  return othersAt(bus as AccessibilityBus, { app, above, point });
}

const NOTHING = { names: [], documents: [] };
const FRAME = {
  '/frame': { name: '', parent: '/page' },
  '/inner': { name: 'Shop', parent: '/frame', url: 'https://b.example/' },
  '/buy': { name: 'Further', parent: '/inner' },
};

test('a control with nothing else at its place has no others', async () => {
  expect(await page({ at: '/home' })).toEqual(NOTHING);
});

test('what lies in front of a control is named, with everything that it is in', async () => {
  const objects = { '/bar': { name: 'Pay now', parent: '/page' }, '/icon': { name: 'Basket', parent: '/bar' } };
  expect(await page({ objects, at: '/icon' })).toEqual({ names: ['Basket', 'Pay now'], documents: [] });
});

test('N41: what lies in front of a control is told with the document of the frame that it is in', async () => {
  const inFrame = { names: ['Further', 'Shop'], documents: ['https://b.example/'] };
  expect(await page({ objects: FRAME, at: '/buy' })).toEqual(inFrame);
  expect(await page({ objects: FRAME, at: '/home', later: '/buy' })).toEqual(inFrame);
});

test('N41: a part of the browser in front of a control is in no known document', async () => {
  const objects = { '/bar': { name: 'Allow', parent: '/window' } };
  expect(await page({ objects, at: '/bar' })).toEqual({ names: ['Allow'], documents: [''] });
});

test('a frame that only seemed to lie in front of a control, and is behind it, is not told', async () => {
  expect(await page({ objects: FRAME, at: '/buy', later: '/home' })).toEqual(NOTHING);
});

test('a text or an icon in a control is in no other document', async () => {
  expect(await page({ objects: { '/icon': { name: '', parent: '/home' } }, at: '/icon' })).toEqual(NOTHING);
});

test.each([
  ['nothing', { at: null }],
  ['an object that says nothing of itself', { at: '/gone' }],
  ['an object that hangs in no page', { at: '/loose', objects: { '/loose': { name: 'Loose', parent: '/lost' } } }],
  [
    'an object that is in more than twenty others',
    {
      at: '/0',
      objects: Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [
          `/${index}`,
          { name: `Box ${index}`, parent: index === 29 ? '/page' : `/${index + 1}` },
        ]),
      ),
    },
  ],
])('N16: where an app tells %s of a point, it is not known what lies there', async (_what, told) => {
  expect(await page(told)).toBeNull();
});
