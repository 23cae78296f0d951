import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { CountingReporter } from './runner/counting-reporter.ts';
import { LONG_TESTS, MODEL_TESTS } from './runner/long-tests.ts';
import { LongestFirst } from './runner/longest-first.ts';
import { PATIENCE } from './runner/patience.ts';
import { TALLY_FILE_VARIABLE } from './runner/tally.ts';

const tallyFile = process.env[TALLY_FILE_VARIABLE];

const BUILD = 'test/runner/build-daemon.ts';

/** Each of these measures how long a person waits under a load. So each runs alone. */
const LOADS = ['cost', 'unread-results', 'sign-in-flood'].map((name) => `test/e2e/${name}.test.ts`);

/** `expect.poll` asks again for one second by default, and a page on a busy machine may take longer. */
const PATIENT = { expect: { poll: PATIENCE } };

const WITH_NODE_ALONE = {
  ...PATIENT,
  // No test replaces a module or leaves a global changed, so files share a worker and load each module once.
  isolate: false,
  maxWorkers: '100%',
  // Long enough for a busy machine: it only ends a test that hangs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/**
 * `fast`, `long`, `models` and `faults` need nothing but Node; `desktop` needs a real X11 desktop; `loads` measures under load; `browser` needs
 * Chromium; `packaging` needs a virtual desktop and, once, the npm registry; `electron` needs Electron's binary; `install` needs
 * the registry; `macos` needs a Mac.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: tallyFile === undefined ? ['default'] : ['default', new CountingReporter(tallyFile)],
    projects: [
      {
        test: {
          name: 'fast',
          ...WITH_NODE_ALONE,
          include: [
            'test/{architecture,cli,computer-use,contract,client,mcp,domain,guardian,store,services,agent-host,peers,http,agent,launch,daemon,own-daemon,reach,guards,shell,renderer,runner}/**/*.test.ts',
          ],
          exclude: ['test/agent/scripts/**', ...LONG_TESTS, ...MODEL_TESTS],
        },
      },
      {
        test: {
          name: 'long',
          ...WITH_NODE_ALONE,
          globalSetup: BUILD,
          // Those that start programs wait for them: a third worker uses two processors well.
          maxWorkers: 3,
          include: [...LONG_TESTS],
        },
      },
      {
        test: {
          name: 'models',
          ...WITH_NODE_ALONE,
          include: [...MODEL_TESTS],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'desktop',
          ...PATIENT,
          globalSetup: BUILD,
          include: ['test/{desktop,e2e,machines}/**/*.test.ts', 'test/agent/scripts/**/*.test.ts'],
          exclude: LOADS,
          // No test leaves a global changed, so files share a worker and load each module once.
          isolate: false,
          // These wait more than they work: four workers use two processors well.
          maxWorkers: 4,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'loads',
          ...PATIENT,
          globalSetup: BUILD,
          include: LOADS,
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'faults',
          ...PATIENT,
          globalSetup: 'test/faults/build.ts',
          include: ['test/faults/**/*.test.ts'],
          // A cell waits for a person's delay and for processes to end about as long as it computes.
          maxConcurrency: 5,
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          ...PATIENT,
          globalSetup: BUILD,
          include: ['test/browser/**/*.test.ts'],
          // No test leaves a global changed, so files share a worker and load each module once.
          isolate: false,
          // Some of these wait for a person's delay as long as others compute: four workers use two processors well.
          maxWorkers: 4,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'packaging',
          ...PATIENT,
          include: ['test/packaging/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'electron',
          ...PATIENT,
          include: ['test/electron/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'install',
          ...PATIENT,
          include: ['test/install/**/*.test.ts'],
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'macos',
          ...PATIENT,
          include: ['test/macos/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
