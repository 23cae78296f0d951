import { join } from 'node:path';
import { ASSETS } from '../launch/assets.ts';
import { bundle } from './bundle.ts';
import { writeTrayImages } from './icons.ts';
import { APP_FOLDER } from './places.ts';

/** Bundles the app for Electron. From the project's folder it runs with the packages that npm installed. */
export async function bundleApp(): Promise<void> {
  await bundle({
    into: APP_FOLDER,
    programs: { main: 'src/electron/main.ts' },
    preloads: { preload: 'src/electron/preload.ts' },
  });
  await writeTrayImages(join(APP_FOLDER, ASSETS.tray.bundled));
}
