import { type ChildProcess, spawn } from 'node:child_process';
import { toolScript } from '../src/launch/launch.cjs';
import { buildPageIfNeeded } from './build-if-needed.ts';

/**
 * `npm run dev`: the daemon, started again when its code changes, and the page, built again when its code changes; load it
 * anew to see it. Both end together.
 */
buildPageIfNeeded();
const parts = [
  start(['--watch', '--watch-preserve-output', 'src/daemon/headless.ts'], 'inherit'),
  // Vite's own words go to standard error: standard output belongs to the daemon's three lines.
  start(
    [toolScript('vite'), 'build', 'renderer', '--watch', '--emptyOutDir', 'false', '--logLevel', 'warn'],
    ['ignore', 2, 2],
  ),
];
for (const part of parts) part.once('exit', endAll);
process.on('SIGINT', () => endAll());
process.on('SIGTERM', () => endAll());

function start(args: string[], stdio: 'inherit' | ['ignore', number, number]): ChildProcess {
  return spawn(process.execPath, args, { stdio });
}

function endAll(): void {
  for (const part of parts) part.kill('SIGTERM');
}
