import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { ASSETS } from '../launch/assets.ts';
import { isKeptOutside } from './packages.ts';
import { ROOT } from './places.ts';

type Bundle = {
  /** The folder of the bundle. It is emptied first. */
  into: string;
  /** The source of each program, from the project's folder, under the name that its file gets. */
  programs: Readonly<Record<string, string>>;
  /** The source of each script for a sandboxed page. Each becomes one CommonJS file with the ending `.cjs`. */
  preloads?: Readonly<Record<string, string>>;
};

/**
 * Bundles the programs, the files of `ASSETS` and the packages they import to JavaScript in one folder.
 * Packages with binaries stay outside (`copyPackages` puts them beside it). Takes about 4 s. Rejects when a source does not build.
 */
export async function bundle({ into, programs, preloads = {} }: Bundle): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const threads = Object.values(ASSETS).filter(({ source }) => source.endsWith('.ts'));
  const found = Object.fromEntries(threads.map(({ source, bundled }) => [bundled.replace(/\.js$/, ''), source]));
  await build({ input: { ...programs, ...found }, into, format: 'esm' });
  for (const [name, source] of Object.entries(preloads)) {
    await build({ input: { [name]: source }, into, format: 'cjs' });
  }
  copyFiles(into);
  copySwaggerPage(into);
}

type Build = { input: Record<string, string>; into: string; format: 'esm' | 'cjs' };

async function build({ input, into, format }: Build): Promise<void> {
  const built = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: (id) => isKeptOutside(id),
    resolve: { alias: AS_MODULES },
    plugins: [packageFolders(), addressesOfNode(), ...(format === 'esm' ? [httpWithoutNames()] : [])],
    transform: { define: { __bundleFolder__: 'import.meta.dirname' } },
    onLog(level, log, handle) {
      const isOfAPackage = log.id?.includes('/node_modules/') ?? log.loc?.file?.includes('/node_modules/') ?? false;
      if (log.code === 'UNRESOLVED_IMPORT') handle('error', log);
      else if (!isOfAPackage && !PACKAGE_HABITS.has(log.code ?? '')) handle(level, log);
    },
  });
  const ending = format === 'esm' ? 'js' : 'cjs';
  const { output } = await built.write({
    dir: into,
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
    // A running process keeps the whole text of its code in memory.
    comments: { legal: true, annotation: false, jsdoc: false },
    // Names stay, so that a stack trace can be read.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    ...(format === 'cjs' && { codeSplitting: false }),
  });
  // Not in a plugin: Rolldown writes strings anew after the plugins have seen them.
  for (const file of output)
    if (file.type === 'chunk') writeFileSync(join(into, file.fileName), oneByteText(file.code));
  await built.close();
}

/** A package whose CommonJS form requires its files in a way that no bundler sees. */
const AS_MODULES = { 'jsonc-parser': join(ROOT, 'node_modules/jsonc-parser/lib/esm/main.js') };

/** Warnings about how packages are written, which concern nobody here. */
const PACKAGE_HABITS = new Set(['MODULE_LEVEL_DIRECTIVE', 'EVAL']);

/**
 * Some packages read files beside their own code. In the bundle each is told that its folder is one in `package-files`.
 */
function packageFolders(): Plugin {
  return {
    name: 'package-folders',
    transform: {
      filter: { id: /\/node_modules\//, code: /__dirname/ },
      handler(code, id) {
        const folder = id.slice(id.lastIndexOf('/node_modules/'), id.lastIndexOf('/'));
        return code.replaceAll(
          /\b__dirname\b/g,
          `(__bundleFolder__ + ${JSON.stringify(folder.replace('/node_modules/', '/package-files/'))})`,
        );
      },
    },
  };
}

const HTTP = '\0node-http';

/**
 * Loads `node:http` without the names of its exports. An ES module that imports it makes Node read each export, and reading `WebSocket`
 * loads the whole of `fetch`: 80 ms of processor time in each process.
 */
function httpWithoutNames(): Plugin {
  return {
    name: 'http-without-names',
    resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => HTTP },
    load: {
      filter: { id: new RegExp(`^${HTTP}$`) },
      handler: () => "module.exports = process.getBuiltinModule('node:http')",
    },
  };
}

const ADDRESSES = '\0node-addresses';

/**
 * Node's own `URL` in place of a package for Node before version 10. That package loads `punycode`, and Node then warns in the log.
 */
function addressesOfNode(): Plugin {
  return {
    name: 'addresses-of-node',
    resolveId: { filter: { id: /^whatwg-url$/ }, handler: () => ADDRESSES },
    load: { filter: { id: new RegExp(`^${ADDRESSES}$`) }, handler: () => 'module.exports = { URL }' },
  };
}

/**
 * Writes characters beyond Latin-1 as escapes. A single one makes V8 keep the text of its whole file with two bytes a character, 3 MB
 * more in the daemon alone.
 */
function oneByteText(code: string): string {
  return code.replace(/(\\*)([^\0-\xff])/g, (_, slashes: string, character: string) => {
    // A backslash before such a character means nothing, and would take that of the escape.
    const kept = slashes.length % 2 === 1 ? slashes.slice(1) : slashes;
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function copyFiles(into: string): void {
  buildPageIfNeeded();
  for (const name of ['page', 'macos-scripts'] as const) {
    const { source, bundled } = ASSETS[name];
    cpSync(join(ROOT, source), join(into, bundled), { recursive: true });
  }
  writeFileSync(join(into, ASSETS.manifest.bundled), manifest());
}

function manifest(): string {
  const { name, version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = {
    name,
    productName: 'Handrail',
    version,
    description,
    author: 'Handrail',
    type: 'module',
    main: 'main.js',
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The page of `/docs` is files of a package that are read, not imported. */
function copySwaggerPage(into: string): void {
  const folder = '@fastify/swagger-ui/static';
  cpSync(join(ROOT, 'node_modules', folder), join(into, 'package-files', folder), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !path.endsWith('.map'),
  });
}
