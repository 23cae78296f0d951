import { join } from 'node:path';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

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
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: nameOfFirstPage, debugName: 'page' }],
        },
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

type Modules = { getModuleInfo(id: string): Rolldown.ModuleInfo | null };

const FIRST = join(import.meta.dirname, 'src/begin.ts');
const PAGE = join(import.meta.dirname, 'src/main.tsx');

/**
 * Puts every module that the page imports at its start into one file, also modules that later pages share: one request, and one script
 * to compile. Modules of the first script stay in that script, because it runs before this file has arrived.
 */
function nameOfFirstPage(id: string, modules: Modules): string | null {
  if (id === '\0rolldown/runtime.js') return 'page';
  return isImported(id, PAGE, modules) && !isImported(id, FIRST, modules) ? 'page' : null;
}

/** Whether a module is imported by another one, itself or through others, without an `import()` between them. */
function isImported(id: string, by: string, modules: Modules, seen = new Set<string>()): boolean {
  if (id === by) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return (modules.getModuleInfo(id)?.importers ?? []).some((importer) => isImported(importer, by, modules, seen));
}
