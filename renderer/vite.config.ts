import { defineConfig, type Plugin } from 'vite';

/** Everything becomes a file of its own: the policy of the page allows nothing inline. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [preloadPage()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The modules that several pages share are one file, so that the first page loads few. Charts come later, with their page.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: (id) => !/uplot|\/charts\/|begin\.ts|early-answer/.test(id), minShareCount: 2 },
          ],
        },
      },
      onwarn(warning, warn) {
        // Radix marks its modules with "use client", which means something to a server that renders React, and we have none.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});

/** Lets the browser load the script of the page beside the first one, which asks for it once it runs. */
function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { chunk, bundle = {} }) {
        const files = (chunk?.dynamicImports ?? []).flatMap((file) => {
          const page = bundle[file];
          return page?.type === 'chunk' ? [file, ...page.imports] : [];
        });
        const wanted = new Set(files.filter((file) => file !== chunk?.fileName && !chunk?.imports.includes(file)));
        return [...wanted].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
