import { expect, test } from 'vitest';
import { titleOf } from '../../src/contract/first-layer.ts';

const script = {
  language: 'shell',
  text: 'rm old',
  reads: [],
  writes: [],
  network: [],
  noticed: [],
  noticedCut: false,
};
const noticed = [{ words: 'deletes ~/work/old', lines: [1] }];

test('the title of a prompt leaves out the dangers in its script, which have lines of their own', () => {
  const sentence = 'Run a shell script of 1 line in /work. Handrail noticed: deletes ~/work/old (line 1)';
  expect(titleOf({ sentence, script: { ...script, noticed } })).toBe('Run a shell script of 1 line in /work');
});

test('a folder that is named like these words stays in the title', () => {
  const folder = '/work. Handrail noticed: nothing';
  const sentence = `Run a shell script of 1 line in ${folder}. Handrail noticed: deletes ~/work/old (line 1)`;
  expect(titleOf({ sentence, script: { ...script, noticed } })).toBe(`Run a shell script of 1 line in ${folder}`);
});

test('any other sentence is the title', () => {
  const sentence = 'Open the app “x. Handrail noticed: y”';
  expect(titleOf({ sentence })).toBe(sentence);
  expect(titleOf({ sentence, script })).toBe(sentence);
});
