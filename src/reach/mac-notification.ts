import { execFile } from 'node:child_process';
import type { Channel } from './reach.ts';

/** `display notification` is part of StandardAdditions. Texts come as arguments, so none of them can become a script. */
const SCRIPT = [
  'on run argv',
  'display notification (item 1 of argv) with title (item 2 of argv) sound name "Ping"',
  'end run',
];
const PATIENCE_MS = 5_000;

type Run = (program: string, args: readonly string[]) => Promise<void>;

/** Notifications on a Mac without the app. macOS shows them as Script Editor's; they cannot be taken back, and a click does nothing. */
export function createMacNotifications(run: Run = runProgram): Channel {
  return {
    name: 'desktop',
    call: ({ title, body }) =>
      run('/usr/bin/osascript', [...SCRIPT.flatMap((line) => ['-e', line]), '--', body, title]),
    withdraw: async () => undefined,
    close: async () => undefined,
  };
}

function runProgram(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: PATIENCE_MS }, (error, _out, errors) => {
      if (error === null) resolve();
      else reject(new Error(`macOS showed no notification: ${errors.trim() || error.message}`, { cause: error }));
    });
  });
}
