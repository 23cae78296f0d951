import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { type Import, importsBelow } from './imports.ts';

const HOUSE = 'src/services';

/** The rooms of `src/services`, the lowest first. A file may import from its own room and from the rooms above it in this list. */
const ROOMS: readonly (readonly string[])[] = [
  ['context.ts', 'refusal.ts', 'rounding.ts', 'steady-clock.ts', 'steady-clock.ts', 'call-off.ts'],
  ['prompt-words.ts'],
  ['work'],
  ['records'],
  ['agent'],
  ['targets'],
  ['machines'],
  ['requester-services.ts'],
  ['permissions'],
  ['requesters'],
  ['actions'],
  ['confirmations'],
  ['tasks'],
  ['guardian'],
  ['sessions'],
  ['lifecycle'],
  ['console'],
  ['devices.ts', 'health.ts', 'own-device.ts'],
  ['procedures'],
  ['offered-services.ts'],
  ['person-services.ts'],
  ['wiring.ts'],
  ['person-door.ts'],
];

/** The place of a file's room in the list; -1 where it is in none. */
function heightOf(path: string): number {
  const [room = ''] = relative(HOUSE, path).split('/');
  return ROOMS.findIndex((rooms) => rooms.includes(room));
}

function complaint({ from, to }: Import): string | undefined {
  if (heightOf(from) === -1) return `${from} is in no room`;
  return heightOf(to) <= heightOf(from) ? undefined : `${from} may not import ${to}`;
}

test('inside src/services imports point from a room to lower rooms only', () => {
  const inside = importsBelow(HOUSE).filter(({ to }) => to.startsWith(`${HOUSE}/`));
  expect(inside.length).toBeGreaterThan(500);
  expect(inside.map(complaint).filter((text) => text !== undefined)).toEqual([]);
});

test('every room of src/services that the list names is there', () => {
  const used = new Set(importsBelow(HOUSE).map(({ from }) => heightOf(from)));
  expect(ROOMS.filter((_, height) => !used.has(height))).toEqual([]);
});

test('the rule sees an import that points upward, and a file in no room', () => {
  const at = (path: string) => join(HOUSE, path);
  expect(complaint({ from: at('work/a.ts'), to: at('tasks/b.ts') })).toContain('may not import');
  expect(complaint({ from: at('tasks/b.ts'), to: at('work/a.ts') })).toBeUndefined();
  expect(complaint({ from: at('loose.ts'), to: at('work/a.ts') })).toContain('is in no room');
});
