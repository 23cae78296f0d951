import { writeFileSync } from 'node:fs';
import { readLockFile, unlockedOptionals, withForeignPlatforms, withoutOptionalEngines } from './lock-file.ts';

/** `npm run lock`, after every change of dependencies: adds the packages that npm left out of the lock file, removes what would keep npm from installing an optional one, and says what only foreign platforms need. */
const file = new URL('../../package-lock.json', import.meta.url);
const lock = withoutOptionalEngines(readLockFile(file));
const added = unlockedOptionals(lock);
const complete = withForeignPlatforms({ ...lock, packages: { ...lock.packages, ...added } });
const packages = Object.entries(complete.packages).sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
console.log(`${Object.keys(added).length} packages added to the lock file`);
