import { readdirSync, readFileSync } from 'node:fs';
import { isCode } from '../files/failures.ts';
import { LAUNCHER_NAME } from './bubblewrap.ts';

/**
 * Ends the sandboxes that killed agents of this user left behind. bubblewrap ties the first process of a sandbox to its parent only when
 * the sandbox is complete: killed before that, the parent leaves one behind that waits for ever. No script has begun in it.
 */
export function endLeftovers(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && isLeftover(name))) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      if (!isCode(error, 'ESRCH')) throw error;
    }
  }
}

/** The first process of a sandbox whose parent, the same program, is gone. */
function isLeftover(pid: string): boolean {
  const command = read(pid, 'cmdline');
  if (!command.startsWith('bwrap\0') || !command.includes(`\0${LAUNCHER_NAME}\0`)) return false;
  const status = read(pid, 'status');
  const [, parent = '', user = ''] = /^PPid:\s+(\d+)$[\s\S]*^Uid:\s+(\d+)/mu.exec(status) ?? [];
  const isFirst = /^NSpid:.*\s1$/mu.test(status);
  return isFirst && Number(user) === process.getuid?.() && read(parent, 'cmdline') !== command;
}

/** Nothing where the process has ended. */
function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
