import type { ConsoleStatus } from '../contract/console-status.ts';
import type { PermissionStep } from '../contract/shell.ts';
import { needsPerson } from './permission-walk.ts';

/** The effect of a menu item. None of them answers a request. */
export type MenuCommand =
  | 'review'
  | 'pause'
  | 'resume'
  | 'dashboard'
  | 'permissions'
  | 'switchLogin'
  | 'approveLogin'
  | 'quit';

export type MenuLine =
  | { kind: 'text'; text: string }
  | { kind: 'line' }
  | { kind: 'command'; text: string; command: MenuCommand; isChecked?: boolean; shortcut?: string };

const MOST_LISTED = 5;
const LONGEST_LABEL = 60;

export type TrayStatusName = 'idle' | 'acting' | 'asking' | 'paused' | 'trouble';

/** The content of the icon in the menu bar. `count` is how many requests wait; `words` say the state in a line. */
type TrayStatus = { name: TrayStatusName; count: number; words: string };

/** Whether the system opens the app at login. `approve`: it will, once the person approves that in System Settings. */
export type LoginItem = 'on' | 'off' | 'approve' | 'unavailable';

/** The login item as macOS has it. A request of ours may wait for the person, so that it is read back and not remembered. */
export function loginItemOf({ status, openAtLogin }: { status: string; openAtLogin: boolean }): LoginItem {
  if (status === 'requires-approval') return 'approve';
  return openAtLogin ? 'on' : 'off';
}

/** Whether the switch in the menu asks macOS to open the app at login. While the request waits for approval it is made again. */
export function isWantedAfterFlip(now: LoginItem): boolean {
  return now !== 'on';
}

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

/** The menu of the icon, from top to bottom: running work, waiting requests, the stop, and the rest. */
export function menuOf(facts: ShellFacts): MenuLine[] {
  const { status } = facts;
  return [
    { kind: 'text', text: trayStatusOf(facts).words },
    ...status.underWay.slice(0, MOST_LISTED).map(({ title }): MenuLine => ({ kind: 'text', text: labelOf(title) })),
    { kind: 'line' },
    ...promptLines(facts),
    status.paused ? { kind: 'command', text: 'Resume', command: 'resume' } : pauseLine(facts),
    { kind: 'line' },
    { kind: 'command', text: 'Dashboard', command: 'dashboard' },
    {
      kind: 'command',
      text: needsPerson(facts.permissions) ? 'Permissions: one is missing…' : 'Permissions…',
      command: 'permissions',
    },
    ...loginLines(facts.login),
    { kind: 'line' },
    { kind: 'command', text: 'Quit Handrail', command: 'quit' },
  ];
}

/** The menu is where the person learns the shortcut for the emergency stop. */
function pauseLine({ stopShortcut }: ShellFacts): MenuLine {
  const line = { kind: 'command', text: 'Pause everything', command: 'pause' } as const;
  if (stopShortcut !== undefined) return { ...line, shortcut: stopShortcut };
  return { ...line, text: `${line.text} (its shortcut is taken by another app)` };
}

function promptLines({ prompts }: ShellFacts): MenuLine[] {
  if (prompts.length === 0) return [];
  const listed = prompts.slice(0, MOST_LISTED);
  const more = prompts.length - listed.length;
  return [
    ...listed.map(({ userId, sentence }): MenuLine => {
      return { kind: 'command', text: `Review: ${labelOf(`${userId}: ${sentence}`)}`, command: 'review' };
    }),
    ...(more > 0 ? [{ kind: 'text', text: `and ${more} more` } as const] : []),
    { kind: 'line' },
  ];
}

function loginLines(login: LoginItem): MenuLine[] {
  switch (login) {
    case 'unavailable':
      return [];
    case 'approve':
      return [{ kind: 'command', text: 'Start at login: approve it in System Settings…', command: 'approveLogin' }];
    default:
      return [{ kind: 'command', text: 'Start at login', command: 'switchLogin', isChecked: login === 'on' }];
  }
}

/** A text of a requester as one short line. A menu would take `&` as the mark of a key; invisible characters become boxes. */
export function labelOf(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '\u{25a1}')];
  const short = characters.length > LONGEST_LABEL ? [...characters.slice(0, LONGEST_LABEL - 1), '…'] : characters;
  return short.join('').replaceAll('&', '&&');
}

/** Says whether a value, as JSON, differs from the one of the last call. The first one does. */
export function createChanges(): (value: unknown) => boolean {
  let latest: string | undefined;
  return (value) => {
    const next = JSON.stringify(value);
    if (next === latest) return false;
    latest = next;
    return true;
  };
}

/**
 * The shortcut that stops everything from any app, as electron writes shortcuts. With these three keys macOS itself takes the period and
 * the comma (contrast), 8 (inverted colours) and the keys for switching off, also where the person has switched those on.
 */
export function stopShortcut(platform: NodeJS.Platform): string {
  return platform === 'darwin' ? 'Control+Alt+Command+S' : 'Control+Alt+Shift+S';
}
