import { buildClient } from './build-client.ts';
import { buildDaemonIfNeeded } from './build-if-needed.ts';
import { copyCarriedPackages } from './packages.ts';
import { CARRIED_FOLDER } from './places.ts';

/** What npm runs before it packs: everything in the package is built, since Node strips no types below `node_modules`. */
if ((await buildDaemonIfNeeded()) === 'cannot build')
  throw new Error('The package cannot be built without the packages that build. Run `npm ci` first.');
await buildClient();
await copyCarriedPackages(CARRIED_FOLDER);
