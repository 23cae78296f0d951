import { defineConfig } from 'vite';

/** Everything becomes a file of its own: the policy of the page allows nothing inline. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onwarn(warning, warn) {
        // Radix marks its modules with "use client", which means something to a server that renders React, and we have none.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
