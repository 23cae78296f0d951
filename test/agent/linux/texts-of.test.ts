import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import { textsOf } from '../../../agent/drivers/linux/input/sight.ts';
import { readNode } from '../../../agent/drivers/linux/read-node.ts';

const BUTTON = 43;
const LABELLED_BY = 2;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** `relations`: the labels that the button names, and null for an answer that never comes. */
type App = { labels: readonly string[] | null | 'fault'; isSlowLabel?: boolean };

function never(timeoutMs: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), timeoutMs));
}

async function wordsOf({ labels, isSlowLabel = false }: App, above = 1): Promise<string[] | null> {
  const bus: Pick<AccessibilityBus, 'ask'> = {
    async ask({ path }, { member, body }: Question, timeoutMs) {
      if (member === 'GetRelationSet') {
        if (labels === null) return never(timeoutMs);
        return labels === 'fault' ? null : [[[LABELLED_BY, labels.map((label) => ['app', `/${label}`])]]];
      }
      if (member === 'Get' && isSlowLabel) return never(timeoutMs);
      const answers: Record<string, unknown> = {
        Get: body?.includes('Name') ? path.slice(1) : '',
        GetRole: BUTTON,
        GetState: [0, 0],
        GetInterfaces: [],
        GetAll: { Parent: ['app', '/'], Name: path.slice(1), Description: '', ChildCount: 0 },
      };
      return [answers[member]];
    },
  };
  const read = Array.from({ length: above }, (_, index) =>
    readNode(bus as AccessibilityBus, { bus: 'app', path: `/Send${index}` }, () => 1_000),
  );
  const nodes = (await Promise.all(read)).filter((node): node is AccessibleNode => node !== null);
  const texts = textsOf(bus as AccessibilityBus, nodes);
  await vi.advanceTimersByTimeAsync(500);
  return texts;
}

test('the labels of a control are among its words', async () => {
  expect(await wordsOf({ labels: ['Delete all'] })).toEqual(['Delete all']);
});

test('an object that answers with a fault has no labels', async () => {
  expect(await wordsOf({ labels: 'fault' })).toEqual([]);
});

test.each<[string, App, number]>([
  ['the app does not tell in time', { labels: null }, 1],
  ['a label does not tell in time', { labels: ['Delete all'], isSlowLabel: true }, 1],
  ['there are more than twenty labels', { labels: Array.from({ length: 21 }, (_, index) => `Label ${index}`) }, 1],
  ['it is in more than twenty buttons', { labels: [] }, 21],
])('N38: where %s, the words of a control are not all told', async (_why, app, above) => {
  expect(await wordsOf(app, above)).toBeNull();
});
