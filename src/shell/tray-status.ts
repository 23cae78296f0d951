import type { ConsoleStatus } from '../contract/console-status.ts';
import type { PermissionStep } from '../contract/shell.ts';
import type { LoginItem } from './login-item.ts';
import { needsPerson } from './permission-walk.ts';

export type TrayStatusName = 'idle' | 'acting' | 'asking' | 'paused' | 'trouble';

/** The content of the icon in the menu bar. `count` is how many requests wait; `words` say the state in a line. */
export type TrayStatus = { name: TrayStatusName; count: number; words: string };

/** The facts that the icon and the menu are made from. */
export type ShellFacts = {
  status: Pick<ConsoleStatus, 'paused' | 'agent' | 'running' | 'underWay'>;
  prompts: readonly { id: string; userId: string; sentence: string }[];
  permissions: readonly PermissionStep[];
  login: LoginItem;
  /** The shortcut for the emergency stop; undefined when another app has taken it. */
  stopShortcut: string | undefined;
};

/** The state of Handrail. The most urgent one wins: stopped, then waiting for the person, then broken. */
export function trayStatusOf({ status, prompts, permissions }: ShellFacts): TrayStatus {
  const count = prompts.length;
  if (status.paused) return { name: 'paused', count, words: 'Paused' };
  if (count > 0)
    return { name: 'asking', count, words: count === 1 ? '1 request waits for you' : `${count} requests wait for you` };
  if (status.underWay.some((each) => each.status === 'needs_attention'))
    return { name: 'asking', count, words: 'A task needs your answer' };
  if (status.agent === 'offline') return { name: 'trouble', count, words: 'The agent stopped: no action can run' };
  if (needsPerson(permissions)) return { name: 'trouble', count, words: 'A permission is missing' };
  if (status.agent === 'starting') return { name: 'idle', count, words: 'Starting…' };
  if (status.running > 0) return { name: 'acting', count, words: `${status.running} running` };
  return { name: 'idle', count, words: 'Ready' };
}
