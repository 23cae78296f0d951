// @ts-check
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { basename, delimiter, dirname, join, resolve } = require('node:path');
const { findBundledNode } = require('./bundled-node.cjs');
const { FEW_HEAPS } = require('./daemon-flags.cjs');
const { electronBinary } = require('./electron-binary.cjs');
const { closeInheritedDescriptors } = require('./inherited-descriptors.cjs');

/**
 * node src/launch/launch.cjs [--app=<script>] [--after=<script>] [options of Node] <script or tool> [arguments]
 *
 * Runs a script of the project, or a tool of node_modules, under the Node that npm installed with the project. With
 * `--after` another script runs first and must succeed. With `--app` another script runs instead on a Mac that has Electron. From
 * a list of scripts with commas, the first that exists runs. Every npm script goes through this file. The machine's own
 * Node runs it, so it must also run under Node 18.
 */

const ROOT = resolve(__dirname, '../..');

/** The package of each tool. */
const TOOLS = { biome: '@biomejs/biome', knip: 'knip', tsc: 'typescript', vite: 'vite', vitest: 'vitest' };

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The exit code of a program whose libraries the system's loader does not find. */
const LOADER_FAILED = 127;

if (require.main === module) launch(process.argv.slice(2));

/** @param {string[]} words as above */
function launch(words) {
  closeInheritedDescriptors(); // guard X13-1
  const node = findBundledNode(ROOT);
  if ('problem' in node) return refuse(node.problem);
  if (node.warning !== undefined) process.stderr.write(`handrail: ${node.warning}\n`);
  const hasElectron =
    electronBinary({ root: ROOT, platform: process.platform, environment: process.env }) !== undefined;
  const chosen = chosenWords(words, { platform: process.platform, hasElectron });
  if (chosen.note !== undefined) process.stderr.write(`handrail: ${chosen.note}\n`);
  run(node.path, chosen.words);
}

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(`handrail: ${problem}\n`);
  process.exitCode = 1;
}

/**
 * The words without `--app`, or, on a Mac that has Electron, its script in place of them. Somebody who gives arguments, such as
 * `--help`, gets the script that reads them. `note` says on a Mac which of the two it is.
 *
 * @param {string[]} words
 * @param {{ platform: NodeJS.Platform, hasElectron: boolean }} machine
 * @returns {{ words: string[], note?: string }}
 */
function chosenWords(words, { platform, hasElectron }) {
  const [, app] = /^--app=(.+)/.exec(words[0] ?? '') ?? [];
  if (app === undefined) return { words };
  const rest = words.slice(1);
  const hasArguments = rest.findIndex((word) => !word.startsWith('-')) < rest.length - 1;
  if (platform !== 'darwin' || hasArguments) return { words: rest };
  if (hasElectron) return { words: [app], note: 'Electron is here, so Handrail starts as an app in the menu bar.' };
  const note =
    'Electron is not here, so Handrail runs in this terminal. `npm run get-electron` fetches it for the app.';
  return { words: rest, note };
}

/**
 * The arguments of Node for the process that these words ask for.
 *
 * @param {string[]} words
 * @returns {string[] | { problem: string }}
 */
function argumentsOf(words) {
  const at = words.findIndex((word) => !word.startsWith('-'));
  const program = programAt(words[at]);
  return typeof program === 'string' ? [...words.slice(0, at), program, ...words.slice(at + 1)] : program;
}

/**
 * @param {string | undefined} word
 * @returns {string | { problem: string }}
 */
function programAt(word) {
  if (word === undefined) return { problem: 'src/launch/launch.cjs needs the name of a script or a tool.' };
  const scripts = isTool(word) ? [toolScript(word)] : word.split(',').map((file) => resolve(ROOT, file));
  const script = scripts.find((file) => existsSync(file));
  if (script !== undefined) return script;
  if (basename(dirname(ROOT)) === 'node_modules') {
    return {
      problem: 'This copy of Handrail was packed without its build. `npm run pack` in its project packs one with it.',
    };
  }
  return {
    problem: `There is no ${scripts.at(-1)}. If it belongs to a package, run \`npm ci\` in the folder of Handrail.`,
  };
}

/**
 * @param {string} word
 * @returns {word is keyof typeof TOOLS}
 */
function isTool(word) {
  return Object.keys(TOOLS).includes(word);
}

/**
 * The script of a tool, to be run by Node. It does not depend on `node_modules/.bin`.
 *
 * @param {keyof typeof TOOLS} name
 * @returns {string}
 */
function toolScript(name) {
  const folder = join(ROOT, 'node_modules', TOOLS[name]);
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return file;
  const { bin } = JSON.parse(readFileSync(file, 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[name]);
}

/**
 * @param {string} node
 * @param {string[]} words
 */
function run(node, words) {
  const [, before] = /^--after=(.+)/.exec(words[0] ?? '') ?? [];
  const args = argumentsOf(before === undefined ? words : [before]);
  if ('problem' in args) return refuse(args.problem);
  // Children that look for `node` on PATH, such as scripts with `#!/usr/bin/env node`, find this one.
  const PATH = [dirname(node), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node, args, { stdio: 'inherit', env: { ...FEW_HEAPS, ...process.env, PATH } });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  child.once('error', (error) => refuse(cannotStart(node, error)));
  child.once('exit', (code, signal) => {
    for (const forwarded of FORWARDED) process.off(forwarded, forward);
    const library = code === LOADER_FAILED ? missingLibrary(node) : undefined;
    if (library !== undefined) refuse(library);
    if (signal !== null) process.kill(process.pid, signal);
    else if (code === 0 && before !== undefined) run(node, words.slice(1));
    else process.exitCode = code ?? 1;
  });
}

/**
 * The advice for a library that Node needs and that the system's loader does not find. The loader has printed the name of the library.
 *
 * @param {string} node
 * @returns {string | undefined}
 */
function missingLibrary(node) {
  const { stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const [, library] = /loading shared libraries: (\S+?):/.exec(stderr) ?? [];
  if (library === undefined) return undefined;
  const install = library.startsWith('libatomic')
    ? 'On Debian and Ubuntu run `sudo apt-get install libatomic1`, on Fedora `sudo dnf install libatomic`.'
    : 'Install the package of your system that has it.';
  return `Node needs the library ${library}, and this system has none. ${install} Then run the command again.`;
}

/**
 * @param {string} node
 * @param {Error} error
 */
function cannotStart(node, error) {
  const hint = process.platform === 'linux' ? ' It needs glibc; a system with musl, such as Alpine, has none.' : '';
  return `${node} cannot be started (${error.message}).${hint}`;
}

module.exports = { FEW_HEAPS, chosenWords, launch, toolScript };
