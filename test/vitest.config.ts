import { defineConfig } from 'vitest/config';

/** `fast` needs nothing but Node; `desktop` needs a real X11 desktop; `browser` needs Chromium. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/{architecture,contract,domain,guardian,store,services,http,agent,daemon}/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'desktop',
          include: ['test/{desktop,e2e}/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
