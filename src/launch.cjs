// @ts-check
'use strict';
const { spawn } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { delimiter, dirname, join, resolve } = require('node:path');
const { findBundledNode } = require('./bundled-node.cjs');

/**
 * node src/launch.cjs [--after=<script>] [options of Node] <script or tool> [arguments]
 *
 * Runs a script of the project, or a tool of node_modules, under the Node that npm installed with the project. With
 * `--after` another script runs first and must succeed. Every npm script goes through this file. The machine's own
 * Node runs it, so it keeps to what Node 18 can do.
 */

const ROOT = dirname(__dirname);

/** The package of each tool. */
const TOOLS = { biome: '@biomejs/biome', knip: 'knip', tsc: 'typescript', vite: 'vite', vitest: 'vitest' };

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

if (require.main === module) main(process.argv.slice(2));

/** @param {string[]} words */
function main(words) {
  const node = findBundledNode(ROOT);
  if ('problem' in node) return refuse(node.problem);
  if (node.warning !== undefined) process.stderr.write(`handrail: ${node.warning}\n`);
  const commands = commandsOf(words);
  if ('problem' in commands) return refuse(commands.problem);
  runAll(node.path, commands);
}

/** @param {string} problem */
function refuse(problem) {
  process.stderr.write(`handrail: ${problem}\n`);
  process.exitCode = 1;
}

/**
 * The arguments of Node for each process that is to run, in order.
 *
 * @param {string[]} words
 * @returns {string[][] | { problem: string }}
 */
function commandsOf(words) {
  const [, before] = /^--after=(.+)/.exec(words[0] ?? '') ?? [];
  const rest = before === undefined ? words : words.slice(1);
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const program = programAt(rest[at]);
  if (typeof program !== 'string') return program;
  const last = [...rest.slice(0, at), program, ...rest.slice(at + 1)];
  return before === undefined ? [last] : [[resolve(ROOT, before)], last];
}

/**
 * @param {string | undefined} word
 * @returns {string | { problem: string }}
 */
function programAt(word) {
  if (word === undefined) return { problem: 'src/launch.cjs needs the name of a script or a tool.' };
  const script = isTool(word) ? toolScript(word) : resolve(ROOT, word);
  if (existsSync(script)) return script;
  return { problem: `There is no ${script}. If it belongs to a package, run \`npm ci\` in the folder of Handrail.` };
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
 * @param {string[][]} commands
 */
function runAll(node, [args = [], ...later]) {
  // Children that look for `node` on PATH, such as scripts with `#!/usr/bin/env node`, find this one.
  const PATH = [dirname(node), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH } });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  child.once('error', (error) => refuse(cannotStart(node, error)));
  child.once('exit', (code, signal) => {
    for (const forwarded of FORWARDED) process.off(forwarded, forward);
    if (signal !== null) process.kill(process.pid, signal);
    else if (code === 0 && later.length > 0) runAll(node, later);
    else process.exitCode = code ?? 1;
  });
}

/**
 * @param {string} node
 * @param {Error} error
 */
function cannotStart(node, error) {
  const hint = process.platform === 'linux' ? ' It needs glibc; a system with musl, such as Alpine, has none.' : '';
  return `${node} cannot be started (${error.message}).${hint}`;
}

module.exports = { toolScript };
