import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The attacks of the rows F1 to F9 and X5 to X8, for a run by a user who may not write in the checkout. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/agent/files/*.test.ts', 'test/agent/scripts/ending.test.ts', 'test/e2e/{files,file-undo}.test.ts'],
    testNamePattern: /[FX]\d+:/u,
    // No test leaves a global changed, so files share a worker and load each module once.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
