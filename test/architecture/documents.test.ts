import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The longest document that a reader takes in at one sitting. */
const MOST_LINES = 240;
const MOST_LINES_OF_README = 101;

const NAMED = [
  'README.md',
  '.github/CONTRIBUTING.md',
  'agent/drivers/DRIVERS.md',
  'src/SECURITY.md',
  'src/contract/LINK.md',
  'src/electron/SHELL.md',
  'src/domain/RULES.md',
  'src/guardian/METRICS.md',
  'src/http/API.md',
  'src/packaging/PACKAGING.md',
  'src/services/confirmations/CONFIRMATIONS.md',
  'src/services/tasks/TASKS.md',
  'test/TESTING.md',
];

/** Every document of the repository. */
const DOCUMENTS = [
  'README.md',
  '.github/CONTRIBUTING.md',
  ...sources('src', 'agent', 'renderer', 'test').filter((file) => file.endsWith('.md')),
];

type Link = { document: string; text: string; target: string; line: string };

const LINK = /\[([^\]]*)\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function linksIn(document: string): Link[] {
  return textOf(document)
    .split('\n')
    .flatMap((line) => linksOfLine(line).map((link) => ({ document, line, ...link })))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function linksOfLine(line: string): { text: string; target: string }[] {
  return [...line.matchAll(LINK)].map(([, text = '', target = '']) => ({ text, target }));
}

function pathOf({ document, target }: Pick<Link, 'document' | 'target'>): string {
  return join(dirname(document), target);
}

function sources(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(cjs|js|ts|tsx|md|css|html)$/.test(name) && !/^dist\/|^\.vite\//.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Titles such as `A2, A8: …`, `rule 1 and W2: …`, at the beginning of a string. */
const ROWS_OF_TITLE = /['"`](?:rule \d+ and )?([AFHILMNPRSTUWDX]\d{1,2}(?:(?:, | and )[AFHILMNPRSTUWDX]\d{1,2})*): /g;
const RULES_OF_TITLE = /['"`](rule \d+(?: and (?:rule )?\w+)*): /g;

function rowsIn(text: string): Set<string> {
  return new Set([...text.matchAll(ROWS_OF_TITLE)].flatMap(([, rows = '']) => rows.match(/[A-Z]\d+/g) ?? []));
}

function rulesIn(text: string): Set<string> {
  return new Set([...text.matchAll(RULES_OF_TITLE)].flatMap(([, rules = '']) => rules.match(/rule \d+/g) ?? []));
}

function testTexts(...folders: string[]): string[] {
  return sources(...folders)
    .filter((file) => file.endsWith('.ts') && !file.startsWith('test/guards/'))
    .map(textOf);
}

function union<Value>(sets: readonly Set<Value>[]): Value[] {
  return [...new Set(sets.flatMap((set) => [...set]))].toSorted();
}

/** Rows of the attack table: the id, and the line with its tests. */
function attackRows(): { id: string; line: string }[] {
  return textOf('src/SECURITY.md')
    .split('\n')
    .flatMap((line) => {
      const id = /^\| ([A-Z]\d{1,2}) +\|/.exec(line)?.[1];
      return id === undefined ? [] : [{ id, line }];
    });
}

test('the documents that the README and comments name are there', () => {
  expect(NAMED.filter((document) => !DOCUMENTS.includes(document))).toEqual([]);
});

test.each(DOCUMENTS)('%s is short', (document) => {
  const most = document === 'README.md' ? MOST_LINES_OF_README : MOST_LINES;
  expect(textOf(document).split('\n').length).toBeLessThanOrEqual(most);
});

test.each(DOCUMENTS)('every relative link in %s leads to a file or folder', (document) => {
  const links = linksIn(document);
  if (document !== 'README.md' && NAMED.includes(document)) expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !existsSync(join(root, pathOf(link)))).map(({ target }) => target)).toEqual([]);
});

test('a test title that a document quotes in “…” is in the file it links to', () => {
  const quoted = DOCUMENTS.flatMap(linksIn).filter(({ text }) => /^“.*”$/.test(text));
  const isMissing = (link: Link) => !textOf(pathOf(link)).replaceAll("\\'", "'").includes(link.text.slice(1, -1));
  expect(quoted.filter(isMissing).map(({ text }) => text)).toEqual([]);
});

test('every row of the attack table has a test that names it, or says that it has none', () => {
  const rows = attackRows();
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const isProven = ({ id, line }: { id: string; line: string }) => {
    const files = linksOfLine(line).map(({ target }) => pathOf({ document: 'src/SECURITY.md', target }));
    if (files.length === 0) return line.includes('no test');
    return files.every((file) => rowsIn(textOf(file)).has(id));
  };
  expect(rows.filter((row) => !isProven(row)).map(({ id }) => id)).toEqual([]);
});

test('every attack that a test title names is in the attack table', () => {
  const known = attackRows().map(({ id }) => id);
  const named = union(testTexts('test').map(rowsIn));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((id) => !known.includes(id))).toEqual([]);
});

test('the rules of the link that tests name are those of its document', () => {
  const headings = [...textOf('src/contract/LINK.md').matchAll(/^### Rule (\d+): /gm)].map(([, n]) => `rule ${n}`);
  expect(headings).toHaveLength(9);
  expect(union(testTexts('test/agent-host', 'test/agent').map(rulesIn))).toEqual(headings.toSorted());
});

/** Documents that stood outside of the repository, and words for them. */
const OUTSIDE = [
  /\b(?:agent-link|tasks|actions|api|confirmations|guardian|security|dashboard|desktop|doors|hands|style|design)\.md\b/,
  /\b(?:the|our) (?:service )?specification\b/i,
  /(?<![\w.-]+\/[\w.-]+ )\bissue \d+\b/i,
];

test('no source, test or document names a document that is not in the repository', () => {
  const files = ['README.md', ...sources('src', 'agent', 'renderer', 'test')];
  expect(files.length).toBeGreaterThan(500);
  const naming = files
    .filter((file) => file !== 'test/architecture/documents.test.ts')
    .filter((file) => OUTSIDE.some((words) => words.test(textOf(file))));
  expect(naming).toEqual([]);
});

test('the test sees a link, the rows and rules of a title, and the name of a document outside', () => {
  expect(linksOfLine('see [a](b.ts), [“c”](../d.test.ts#e)')).toEqual([
    { text: 'a', target: 'b.ts' },
    { text: '“c”', target: '../d.test.ts' },
  ]);
  expect([...rowsIn("test('A2, A8: x'); test('rule 1 and W2: y')")]).toEqual(['A2', 'A8', 'W2']);
  expect([...rulesIn("test('rule 1 and W2: y'); test('rule 3 and rule 4: z')")]).toEqual([
    'rule 1',
    'rule 3',
    'rule 4',
  ]);
  expect(OUTSIDE[0]?.test('a message of agent-' + 'link.md, rule 4')).toBe(true);
});
