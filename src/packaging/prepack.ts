import { buildClient } from './build-client.ts';
import { buildDaemonIfNeeded } from './build-if-needed.ts';
import { copyCarriedPackages } from './packages.ts';
import { CARRIED_FOLDER } from './places.ts';

/** Builds all that the npm package holds, since Node strips no types below `node_modules`. Rejects where a source does not build. */
export async function preparePackage(): Promise<void> {
  if ((await buildDaemonIfNeeded()) === 'cannot build')
    throw new Error('The package cannot be built without the packages that build. Run `npm ci` first.');
  await buildClient();
  await copyCarriedPackages(CARRIED_FOLDER);
}

if (import.meta.main) await preparePackage();
