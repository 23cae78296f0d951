// @ts-check
'use strict';

/**
 * For glibc's `malloc`, which otherwise keeps a heap for each thread: a daemon at rest takes 14 MB less. A value of the person's own
 * stays. Other systems do not read it.
 */
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };

/**
 * Options of Node for the daemon's process, as `npm start` has them. Without the first, any program of the person could open Node's
 * inspector by a signal, and run its own code in the daemon.
 */
const DAEMON_FLAGS = ['--disable-sigusr1', '--max-semi-space-size=4', '--v8-pool-size=1'];

module.exports = { DAEMON_FLAGS, FEW_HEAPS };
