// @ts-check
'use strict';

/**
 * Loaded into a daemon before its own code: the inspectors of the daemon and of its agents open on free ports, and standard error names
 * their addresses. A signal opens neither.
 */
const processes = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');
const inspector = require('node:inspector');
const { isMainThread } = require('node:worker_threads');

const { fork } = processes;
Object.assign(processes, {
  /** @type {(file: string, args: readonly string[], options: import('node:child_process').ForkOptions) => unknown} */
  fork: (file, args, options) =>
    fork(file, args, { ...options, execArgv: [...(options.execArgv ?? []), '--inspect=127.0.0.1:0'] }),
});
syncBuiltinESMExports();
// Node loads it into each thread, and a thread that ends closes its own.
if (isMainThread) inspector.open(0, '127.0.0.1');
