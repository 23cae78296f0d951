import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** In a folder with a space `pathname` gives `%20`, which names no folder. */
const PATHNAME_OF_FILE = /import\.meta\.url\s*\)\s*\.\s*pathname/;

function sources(): string[] {
  return ['src', 'agent', 'renderer', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(cjs|js|ts|tsx)$/.test(name) && !/^dist\/|^\.vite\//.test(name))
      .map((name) => join(folder, name)),
  );
}

test('no path of a file is taken from the pathname of a URL', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => PATHNAME_OF_FILE.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('the rule sees a pathname, on one line or on two', () => {
  const [one, two] = ["new URL('.', import.meta.url)" + '.pathname', "new URL('.', import.meta.url)\n  " + '.pathname'];
  expect([one, two].map((text) => PATHNAME_OF_FILE.test(text))).toEqual([true, true]);
  expect(PATHNAME_OF_FILE.test('fileURLToPath(new URL(".", import.meta.url))')).toBe(false);
});
