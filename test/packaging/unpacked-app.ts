import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extractAll } from '@electron/asar';
import { packedApp } from '../../src/packaging/places.ts';
import { ROOT } from './packing.ts';

/**
 * Takes the archive of a packed app apart into `<folder>/app`, so that its programs run under Node on this machine. All that runs
 * comes out of the archive. The exceptions are the binaries, which are for a Mac: beside the app lie those that npm
 * installed for this machine, with the packages that the Linux driver needs and a Mac has no use for.
 */
export function unpackApp(folder: string): string {
  const app = join(folder, 'app');
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  extractAll(join(packedApp(arch), 'Contents/Resources/app.asar'), app);
  const prebuild = `better-sqlite3/prebuilds/linux-${arch}.node`;
  copyFileSync(join(ROOT, 'node_modules', prebuild), join(app, 'node_modules', prebuild));
  const packages = [
    `@img/sharp-linux-${arch}`,
    `@img/sharp-libvips-linux-${arch}`,
    '@nut-tree-fork/libnut-linux',
    'tesseract.js',
    '@tesseract.js-data/eng',
  ];
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  return app;
}
