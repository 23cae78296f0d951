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

test('the title of a text that is shown below names its length, and what it goes into', () => {
  const title = (sentence: string) =>
    titleOf({
      sentence,
      contents: {
        source: 'text',
        text: 'x',
        sizeBytes: 1,
        isWhole: true,
        isText: true,
        noticed: [],
        noticedCut: false,
      },
    });
  expect(title('Type “Dear Ms Brown,…” (71 characters) into the field “To” of “Mail”')).toBe(
    'Type 71 characters into the field “To” of “Mail”',
  );
  expect(title('Set the field “Note” of “Mail” to “a (5 characters) b…” (90 characters)')).toBe(
    'Set the field “Note” of “Mail” to 90 characters',
  );
  expect(title('Type “two\\u{a}lines” into the field “…” of “Mail”')).toBe(
    'Type “two\\u{a}lines” into the field “…” of “Mail”',
  );
});
