import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Targets of links and pictures that are neither addresses of other hosts nor places in the README itself. */
const files = [...readme.matchAll(/!?\[[^\]]*\]\(([^)#\s]+)\)|<img[^>]*\ssrc="([^"]+)"/g)]
  .map(([, linked, shown]) => String(linked ?? shown))
  .filter((target) => !/^[a-z]+:/.test(target));
const pictures = files.filter((file) => file.endsWith('.png'));

test('every file that the README links to exists', () => {
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** Commands and tables are left out: they have a line each. */
const prose = readme
  .replaceAll(/```sh\n[\s\S]*?```/g, '')
  .split('\n')
  .filter((line) => !line.startsWith('|'));

test('no line of the README is longer than 120 characters', () => {
  expect(prose.length).toBeGreaterThan(20);
  expect(prose.filter((line) => line.length > 120)).toEqual([]);
});

test('the README says that a program with accessibility rights can press Allow, and what the Mac app changes', () => {
  expect(readme).toContain('A program with accessibility rights can press Allow in a browser');
  expect(readme).toContain('the Mac app keeps the session out of the browser and asks for Touch ID at high risk');
});

test('the README shows three pictures, each a PNG of at most 200 kB', () => {
  expect(pictures).toHaveLength(3);
  for (const picture of pictures) {
    const file = join(root, picture);
    expect([picture, readFileSync(file).subarray(1, 4).toString()]).toEqual([picture, 'PNG']);
    expect([picture, statSync(file).size <= 200 * 1_024]).toEqual([picture, true]);
  }
});
