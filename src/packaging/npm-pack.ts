import { spawnSync } from 'node:child_process';
import { ROOT } from './places.ts';
import { preparePackage } from './prepack.ts';

/**
 * `npm run pack`: builds the npm package, then has npm pack it. `.npmrc` lets npm run no script of its own accord, so a mere `npm pack`
 * would pack whatever is built already. Arguments go to npm.
 */
await preparePackage();
process.stderr.write('Packing all of it, which takes some seconds.\n');
const { status } = spawnSync('npm', ['pack', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
if (status === 0)
  process.stderr.write('That file is the package: `npx --yes ./<file> start` runs it, in any folder.\n');
