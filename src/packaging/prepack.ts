import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildDaemonIfNeeded } from './build-if-needed.ts';
import { copyCarriedPackages } from './packages.ts';
import { CARRIED_FOLDER, CLIENT_FOLDER, ROOT } from './places.ts';

const ENTRY = 'src/client/handrail.ts';

/** Builds all that the npm package holds, since Node strips no types below `node_modules`. Rejects where a source does not build. */
export async function preparePackage(): Promise<void> {
  if ((await buildDaemonIfNeeded()) === 'cannot build')
    throw new Error('The package cannot be built without the packages that build. Run `npm ci` first.');
  await buildClient();
  await copyCarriedPackages(CARRIED_FOLDER);
}

if (import.meta.main) await preparePackage();

/** Builds `handrail/client`: one module for browser and Node without imports, and its types beside it. */
async function buildClient(): Promise<void> {
  rmSync(CLIENT_FOLDER, { recursive: true, force: true });
  const built = await rolldown({ cwd: ROOT, input: { client: ENTRY }, platform: 'neutral' });
  await built.write({ dir: CLIENT_FOLDER, format: 'esm', entryFileNames: '[name].js', codeSplitting: false });
  await built.close();
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'];
  const strict = ['--strict', '--target', 'es2024', '--lib', 'es2025,esnext.array,dom', '--skipLibCheck'];
  const modules = ['--module', 'nodenext', '--rootDir', 'src', '--outDir', join(CLIENT_FOLDER, 'types')];
  const args = ['--ignoreConfig', ...options, ...strict, ...modules, '--types', 'node'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ENTRY, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The types of the client cannot be written:\n${stdout}`);
}
