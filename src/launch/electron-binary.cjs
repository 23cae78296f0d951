// @ts-check
'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The path of Electron's binary, or undefined where it was not fetched. It is looked up by hand: to import the package
 * `electron` starts a download where the binary is absent.
 *
 * @param {{ root: string, platform: NodeJS.Platform, environment: NodeJS.ProcessEnv }} place `root` is the project's folder
 * @returns {string | undefined}
 */
function electronBinary({ root, platform, environment }) {
  const folder = environment.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist');
  const path = join(folder, platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron');
  return existsSync(path) ? path : undefined;
}

module.exports = { electronBinary };
