import type { LoginItem } from './login-item.ts';
import { needsPerson } from './permission-walk.ts';
import { type ShellFacts, trayStatusOf } from './tray-status.ts';

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
