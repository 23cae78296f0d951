import { expect, test } from 'vitest';
import { headlineParts } from '../../renderer/src/prompt/Headline.tsx';

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

test('the dangers in a script stand below the title of its prompt, and no word is lost', () => {
  const sentence = 'Run a shell script of 1 line in /work. Handrail noticed: deletes ~/work/old (line 1)';
  expect(headlineParts({ sentence, script: { ...script, noticed } })).toEqual({
    title: 'Run a shell script of 1 line in /work.',
    noticed: ' Handrail noticed: deletes ~/work/old (line 1)',
  });
});

test('a folder that is named like these words stays in the title', () => {
  const folder = '/work. Handrail noticed: nothing';
  const sentence = `Run a shell script of 1 line in ${folder}. Handrail noticed: deletes ~/work/old (line 1)`;
  expect(headlineParts({ sentence, script: { ...script, noticed } }).title).toBe(
    `Run a shell script of 1 line in ${folder}.`,
  );
});

test('any other sentence is the title', () => {
  const sentence = 'Open the app “x. Handrail noticed: y”';
  expect(headlineParts({ sentence })).toEqual({ title: sentence, noticed: '' });
  expect(headlineParts({ sentence, script })).toEqual({ title: sentence, noticed: '' });
});
