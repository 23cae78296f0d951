import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedEvent } from '../../../src/domain/journal/journal-event.ts';

const root = join(import.meta.dirname, '../../..');

/** Where kinds stand in SQL, or in the page, which knows no type of the daemon: the compiler does not check these. */
const UNCHECKED = ['src/store', 'src/services', 'renderer/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);

function uncheckedKinds(): string[] {
  return UNCHECKED.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const sql = [...text.matchAll(/\bkind (?:=|IN) \(?('[^)\n`]*')/g)].map(([, kinds]) => String(kinds));
    const events = [...text.matchAll(/\bevent [!=]== ('[a-z]+\.[a-z_]+')/g)].map(([, kind]) => String(kind));
    return [...sql, ...events].flatMap((found) =>
      [...found.matchAll(/'([a-z]+\.[a-z_]+)'/g)].map((kind) => String(kind[1])),
    );
  });
}

test('every kind that SQL or the page names is one that the journal knows', () => {
  const kinds = uncheckedKinds();
  expect(new Set(kinds)).toContain('insight.told');
  expect(new Set(kinds)).toContain('task.plan_asked');
  expect(kinds.filter((kind) => recordedEvent({ seq: 1, atMs: 1, kind, metadata: {} }).kind === 'unknown')).toEqual([]);
});
