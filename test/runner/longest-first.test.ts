import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST_FILES } from './longest-first.ts';

test('every file that starts first is there under its name', () => {
  const root = join(import.meta.dirname, '../..');
  expect(LONGEST_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
