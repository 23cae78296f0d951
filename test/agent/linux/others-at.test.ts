import { expect, test } from 'vitest';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import { othersAt } from '../../../agent/drivers/linux/input/others-at.ts';
import { readNode } from '../../../agent/drivers/linux/read-node.ts';

const BUTTON = 43;
const point = { x: 10, y: 10 };

type Told = { name: string; parent: string; isPage?: boolean };

/** A page with a control in it. `objects`: what else it has, by path. `at`: the path that it names for a point. */
async function page({ objects = {}, at }: { objects?: Record<string, Told>; at: string | null }) {
  const told: Record<string, Told> = {
    '/page': { name: 'Page', parent: '/', isPage: true },
    '/home': { name: 'Home', parent: '/page' },
    ...objects,
  };
  const bus: Pick<AccessibilityBus, 'ask'> = {
    async ask({ path }, { member }: Question) {
      if (member === 'GetAccessibleAtPoint') return at === null ? null : [['app', at]];
      const one = told[path];
      if (one === undefined) return null;
      const answers: Record<string, unknown> = {
        GetRole: BUTTON,
        GetState: [0, 0],
        GetInterfaces: one.isPage ? ['org.a11y.atspi.Document'] : [],
        GetAll: { Parent: ['app', one.parent], Name: one.name, Description: '', ChildCount: 0 },
      };
      return [answers[member]];
    },
  };
  const nodes = await Promise.all(
    ['/home', '/page'].map((path) => readNode(bus as AccessibilityBus, { bus: 'app', path }, () => 1_000)),
  );
  const above = nodes.filter((node): node is AccessibleNode => node !== null);
  return othersAt(bus as AccessibilityBus, { above, point });
}

test('a control with nothing else at its place has no others', async () => {
  expect(await page({ at: '/home' })).toEqual([]);
});

test('what lies in front of a control is named, with everything that it is in', async () => {
  const objects = { '/bar': { name: 'Pay now', parent: '/page' }, '/icon': { name: 'Basket', parent: '/bar' } };
  expect(await page({ objects, at: '/icon' })).toEqual(['Basket', 'Pay now']);
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
