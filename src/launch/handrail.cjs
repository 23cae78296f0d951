#!/usr/bin/env node
// @ts-check
'use strict';
const { existsSync } = require('node:fs');
const { spawn } = require('node:child_process');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { DAEMON_FLAGS } = require('./daemon-flags.cjs');
const { launch } = require('./launch.cjs');

/**
 * The command `handrail` of the package. The machine's own Node runs this file, so it must also run under Node 18. It starts the
 * bundle in `dist` on the Node that npm installed with the package; in the project's folder, without a bundle, the sources.
 */

/** The start needs none of the command line, and is faster without. */
const START = [...DAEMON_FLAGS, 'dist/daemon/headless.js,src/daemon/headless.ts'];
const COMMANDS = ['dist/daemon/cli.js,src/cli/main.ts'];
const HELP = ['--help', '-h'];
/** Only this file reads it; the other options go to the daemon. */
const IN_TERMINAL = '--terminal';

if (require.main === module) main(process.argv.slice(2));

/** @param {string[]} words */
function main(words) {
  const app = macApp({ words, platform: process.platform, home: homedir(), exists: existsSync });
  if (app === undefined) return launch(wordsOf(words));
  process.stderr.write(`handrail: starts ${app}. \`handrail start ${IN_TERMINAL}\` runs in this terminal instead.\n`);
  // The system opens it, so that the permissions are the app's own and not those of this terminal.
  spawn('/usr/bin/open', ['-W', app], { stdio: 'inherit' }).once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

/**
 * The launcher's words for the words of the person.
 *
 * @param {string[]} words
 * @returns {string[]}
 */
function wordsOf(words) {
  const [command, ...rest] = words;
  if (command !== 'start' || rest.some((word) => HELP.includes(word))) return [...COMMANDS, ...words];
  return [...START, ...rest.filter((word) => word !== IN_TERMINAL)];
}

/**
 * The app that `start` opens on a Mac that has it, unless the person gives options, which an app cannot be given.
 *
 * @param {{ words: string[], platform: NodeJS.Platform, home: string, exists(path: string): boolean }} machine
 * @returns {string | undefined}
 */
function macApp({ words, platform, home, exists }) {
  if (platform !== 'darwin' || words.length !== 1 || words[0] !== 'start') return undefined;
  return ['/Applications', join(home, 'Applications')].map((folder) => join(folder, 'Handrail.app')).find(exists);
}

module.exports = { macApp, wordsOf };
