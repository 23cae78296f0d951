import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRiddle, proseOf, type Riddle, sentencesOf } from './plain-words.ts';

const root = join(import.meta.dirname, '../..');

const PRODUCT = ['src', 'agent', 'renderer'];
const MOST_PERCENT_IN_PRODUCT = 1;
const MOST_PERCENT = 3;

/** This test quotes riddles. */
const QUOTING = 'test/architecture/plain-words';

type Count = { sentences: number; riddles: (Riddle & { file: string })[] };

function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(cjs|js|ts|tsx|md)$/.test(name) && !/^dist\/|^\.vite\//.test(name))
      .map((name) => join(folder, name))
      .filter((file) => !file.startsWith(QUOTING)),
  );
}

function countOf(files: readonly string[]): Count {
  const sentences = files.flatMap((file) =>
    proseOf({ file, source: readFileSync(join(root, file), 'utf8') }).flatMap(({ line, text }) =>
      sentencesOf(text).map((sentence) => ({ file, line, sentence })),
    ),
  );
  return { sentences: sentences.length, riddles: sentences.filter(({ sentence }) => isRiddle(sentence)) };
}

function percentOf({ sentences, riddles }: Count): number {
  return (100 * riddles.length) / sentences;
}

/** Prints the count, and above the limit each riddle with its place. */
function report(name: string, count: Count, mostPercent: number): void {
  const percent = percentOf(count);
  console.log(
    `plain words, ${name}: ${count.riddles.length} riddles in ${count.sentences} sentences (${percent.toFixed(2)} %, at most ${mostPercent} %)`,
  );
  if (percent <= mostPercent && process.env.HANDRAIL_LIST_RIDDLES === undefined) return;
  for (const { file, line, sentence } of count.riddles) console.log(`${file}:${line} ${sentence}`);
}

test('comments and messages of the product are in plain words', () => {
  const count = countOf(filesIn(...PRODUCT));
  expect(count.sentences).toBeGreaterThan(5000);
  report('src, agent and renderer', count, MOST_PERCENT_IN_PRODUCT);
  expect(percentOf(count)).toBeLessThanOrEqual(MOST_PERCENT_IN_PRODUCT);
});

test('the whole repository, with tests and documents, is in plain words', () => {
  const count = countOf(['README.md', ...filesIn(...PRODUCT, 'test')]);
  expect(count.sentences).toBeGreaterThan(10_000);
  report('the whole repository', count, MOST_PERCENT);
  expect(percentOf(count)).toBeLessThanOrEqual(MOST_PERCENT);
});

test.each([
  'What repeats a fresh no is denied as it is stored.',
  'Whoever fills the queue must not delay an approved action.',
  'The digest of what would be done.',
  'Those of the last week.',
  'Of a Wait its duration and 5 s, if that is more.',
  'The prompt does not wait any more.',
  'A prompt that ends without a yes.',
  'Ends a plan, or what its approval was good for.',
])('“%s” is a riddle', (sentence) => {
  expect(isRiddle(sentence)).toBe(true);
});

test.each([
  'A request that repeats a recent denial is stored as denied.',
  'A requester that fills the queue must not be able to delay an approved action.',
  'For Wait: its duration plus 5 s, if longer.',
  'What was the last action?',
  'The agent reports whether the window is still open.',
  'The answer is a yes or no.',
])('“%s” is plain', (sentence) => {
  expect(isRiddle(sentence)).toBe(false);
});

test('comments, strings, the text of elements, and the parts of a document are read with their lines', () => {
  const source = [
    '/** The first',
    ' *  comment here. */',
    'const quote = /[\'"`]/; // one more comment',
    "const message = 'it isn\\'t a path';",
    "import x from './a.ts';",
    '// two lines',
    '// of one comment',
    'return <p>The agent is offline now</p>;',
  ].join('\n');
  expect(proseOf({ file: 'a.tsx', source })).toEqual([
    { line: 1, text: 'The first comment here.' },
    { line: 3, text: 'one more comment' },
    { line: 4, text: "it isn't a path" },
    { line: 6, text: 'two lines of one comment' },
    { line: 8, text: 'The agent is offline now' },
  ]);
  const document = ['# A title', 'One', 'paragraph.', '', '- an item', '| a | cell |', '```', 'code', '```'].join('\n');
  expect(proseOf({ file: 'a.md', source: document })).toEqual([
    { line: 1, text: 'A title' },
    { line: 2, text: 'One paragraph.' },
    { line: 5, text: 'an item' },
    { line: 6, text: '' },
    { line: 6, text: 'a' },
    { line: 6, text: 'cell' },
    { line: 6, text: '' },
  ]);
});
