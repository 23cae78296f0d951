import { spawn } from 'node:child_process';
import { bundleOf, openArguments } from '../launch/open-app.ts';

type Relaunch = {
  execPath: string;
  /** Without the program itself. */
  args: readonly string[];
  /** The process to wait for. */
  pid: number;
  environment: NodeJS.ProcessEnv;
  open?: string;
};

/** Waits for the end of a process, then becomes the command. */
const WAIT = 'while kill -0 "$1" 2>/dev/null; do sleep 0.2; done; shift; exec "$@"';

/**
 * Starts the app again by LaunchServices when this process has ended. The relauncher of Electron starts the program directly, and macOS
 * may then hold its permissions against another app. Answers whether this process is an app at all.
 */
export function relaunchByOpen({ execPath, args, pid, environment, open = '/usr/bin/open' }: Relaunch): boolean {
  const bundle = bundleOf(execPath);
  if (bundle === undefined) return false;
  const command = [open, ...openArguments({ bundle, args, environment })];
  const child = spawn('/bin/sh', ['-c', WAIT, 'handrail', String(pid), ...command], {
    detached: true,
    stdio: 'ignore',
    env: environment,
  });
  child.unref();
  return true;
}
