import { join } from 'node:path';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..');

/** Where packaging makes the bundle and the icon. `electron-builder.yml` names the same places. */
export const APP_FOLDER = join(ROOT, 'dist/app');
export const ICON_FILE = join(ROOT, 'dist/icon.icns');

/** Where packed apps, disk images and zip files go. */
export const PACKED_FOLDER = join(ROOT, 'dist/packed');

/** The packed app of an architecture. electron-builder names no architecture for Intel. */
export function packedApp(arch: 'arm64' | 'x64', folder = PACKED_FOLDER): string {
  return join(folder, arch === 'arm64' ? 'mac-arm64' : 'mac', 'Handrail.app');
}

/** Where `npm start` has the bundle of the daemon. */
export const DAEMON_FOLDER = join(ROOT, 'dist/daemon');

/** Where `npm pack` finds the client that other programs import. */
export const CLIENT_FOLDER = join(ROOT, 'dist/client');

/** The packages that the npm package carries, beside the bundle that imports them. */
export const CARRIED_FOLDER = join(DAEMON_FOLDER, 'node_modules');

/** A kind of machine. */
export type Target = { platform: 'darwin' | 'linux'; arch: 'arm64' | 'x64' };

/** The folder of the packages for one kind of machine. Its content belongs into `node_modules` beside the bundle. */
export function packagesFolder({ platform, arch }: Target): string {
  return join(ROOT, `dist/packages-${platform}-${arch}`);
}
