import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG_TESTS, MODEL_TESTS } from './long-tests.ts';

test('every long test is there under its name, so that one of the steps runs it', () => {
  const root = join(import.meta.dirname, '../..');
  expect([...LONG_TESTS, ...MODEL_TESTS].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
