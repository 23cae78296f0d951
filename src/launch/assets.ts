import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file or folder that the program finds at run time: where it is when Handrail runs from its sources, from the project's
 * folder, and where it is in the bundle. A source that is TypeScript is bundled to the file named; one in `dist` is made by
 * the bundling itself.
 */
type Asset = { source: string; bundled: string };

/** Everything that is found at run time and is no import. `src/packaging/bundle.ts` makes the bundle from the same list. */
export const ASSETS = {
  agent: { source: 'agent/main.ts', bundled: 'agent.js' },
  'agent-stdio': { source: 'agent/stdio.ts', bundled: 'agent-stdio.js' },
  'journal-audit-worker': { source: 'src/store/journal/audit-worker.ts', bundled: 'journal-audit-worker.js' },
  'database-check-worker': { source: 'src/store/database/check-worker.ts', bundled: 'database-check-worker.js' },
  manifest: { source: 'package.json', bundled: 'package.json' },
  page: { source: 'renderer/dist', bundled: 'page' },
  'macos-scripts': { source: 'agent/drivers/macos/scripts', bundled: 'macos-scripts' },
  preload: { source: 'dist/app/preload.cjs', bundled: 'preload.cjs' },
  tray: { source: 'dist/app/tray', bundled: 'tray' },
} as const satisfies Record<string, Asset>;

type AssetName = keyof typeof ASSETS;

/** The bundle lies flat in one folder, so every chunk of it has the same folder. */
const IS_BUNDLED = !import.meta.url.endsWith('.ts');

const FOLDER = fileURLToPath(new URL(IS_BUNDLED ? './' : '../../', import.meta.url));

/**
 * The folder of the whole program: the project's folder with its packages, from which also the bundle in `dist/daemon` runs, or the
 * packed app.
 */
export function programFolder(): string {
  return programFolderOf(FOLDER);
}

/** The same for code that is in this folder. */
export function programFolderOf(folder: string): string {
  const app = /^.*?\.app(?=\/Contents\/)/u.exec(folder)?.[0] ?? /^.+?(?=\/resources\/app\.asar\/)/u.exec(folder)?.[0];
  return app ?? folder.replace(/\/dist\/(?:daemon|app)\/$/u, '/').replace(/(?<=.)\/$/u, '');
}

/** The absolute path of an asset. In a packed app it may lie in the archive, where only our own processes can read it. */
export function assetPath(name: AssetName): string {
  const { source, bundled } = ASSETS[name];
  return join(FOLDER, IS_BUNDLED ? bundled : source);
}

/**
 * The absolute path of an asset for programs that are not ours: they cannot read the archive of a packed app. Packaging
 * puts such assets beside the archive, see `asarUnpack` in `electron-builder.yml`.
 */
export function assetPathForOtherPrograms(name: AssetName): string {
  return outsideArchive(assetPath(name));
}

/** The place beside the archive of a path inside it; other paths stay as they are. */
export function outsideArchive(path: string): string {
  return path.replace('/app.asar/', '/app.asar.unpacked/');
}

/** The entry of the daemon: `dist/daemon/headless.js` of a bundle. The packed app has none; there the daemon is a part of the app. */
export function daemonEntryPath(): string {
  return join(FOLDER, IS_BUNDLED ? 'headless.js' : 'src/daemon/headless.ts');
}

/** The file of the command `handrail`, in the project's folder or in the npm package. The packed app has none. */
export function commandFilePath(): string {
  return join(FOLDER, IS_BUNDLED ? '../..' : '', 'src/launch/handrail.cjs');
}
