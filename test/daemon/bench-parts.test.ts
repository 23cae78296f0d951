import { expect, test } from 'vitest';
import { partsWanted } from '../bench/parts.ts';

const NAMES = ['start', 'actions', 'floor'];

test('without words all parts of the bench run', () => {
  expect(partsWanted(NAMES, [])).toEqual(NAMES);
});

test('words name the parts that run, in the order of the bench', () => {
  expect(partsWanted(NAMES, ['floor', 'start'])).toEqual(['start', 'floor']);
});

test('a word that names no part is refused with the names there are', () => {
  expect(() => partsWanted(NAMES, ['floor', 'flor'])).toThrow(
    'no part is called flor; there are start, actions, floor',
  );
});

test.each(['--help', '-h'])('%s asks for help, whatever else is named', (word) => {
  expect(partsWanted(NAMES, ['floor', word])).toBe('help');
});
