import type { Danger, Notebook } from '../finding.ts';
import { shortened } from '../finding.ts';
import { createLooks, type Looks } from '../looks.ts';
import type { ShellAnalysis } from './analyse.ts';
import { readTokens } from './tokens.ts';

/** `later` must stand behind `words`: one pattern for both would take quadratic time. */
type Phrase = { words: RegExp; later?: RegExp; danger: Danger; effect: string };

/** Phrases of AppleScript. Each is looked for in a line without its strings, in lower case. */
const PHRASES: readonly Phrase[] = [
  { words: /\bempty (?:the )?trash\b/u, danger: 'deletes', effect: 'empties the trash' },
  { words: /\bdelete\b/u, danger: 'deletes', effect: 'deletes' },
  { words: /\bmove\b/u, later: /\btrash\b/u, danger: 'deletes', effect: 'moves to the trash' },
  { words: /\berase\b/u, danger: 'deletes', effect: 'erases a disk' },
  {
    words: /\b(?:make|create)\b/u,
    later: /\blogin item\b/u,
    danger: 'persists',
    effect: 'makes a program start at each login',
  },
  { words: /\bhidden answer\b/u, danger: 'credentials', effect: 'asks you for a password' },
  { words: /\bkeychain\b/u, danger: 'credentials', effect: 'uses the keychain' },
  { words: /\b(?:outgoing message|send)\b/u, danger: 'sends', effect: 'sends a message' },
  { words: /\bopen location\b/u, danger: 'runs', effect: 'opens the address' },
  { words: /\bwith administrator privileges\b/u, danger: 'accounts', effect: 'runs commands as administrator' },
  { words: /\b(?:keystroke|key code|click)\b/u, danger: 'records', effect: 'types or clicks in other apps' },
  { words: /\bthe clipboard\b/u, danger: 'records', effect: 'uses the clipboard' },
  { words: /\bdo javascript\b/u, danger: 'runs', effect: 'runs JavaScript in a page of the browser' },
  {
    words: /\bexecute /u,
    later: /javascript\b/u,
    danger: 'runs',
    effect: 'runs JavaScript in a page of the browser',
  },
  { words: /\b(?:run|load) script\b/u, danger: 'runs', effect: 'runs another script' },
  { words: /\b(?:shut down|restart|log out|sleep)\b/u, danger: 'stops', effect: 'shuts down, restarts or logs out' },
  { words: /\bquit\b/u, danger: 'stops', effect: 'quits apps' },
  { words: /\b(?:write|set eof)\b/u, danger: 'overwrites', effect: 'writes to a file' },
  { words: /\b(?:duplicate|move)\b/u, danger: 'changes', effect: 'moves or copies files' },
  { words: /\bread\b/u, danger: 'reads', effect: 'reads a file' },
  { words: /\bmount volume\b/u, danger: 'changes', effect: 'mounts a disk of another computer' },
  { words: /\btell application\b/u, danger: 'runs', effect: 'controls the app' },
];

const MOST_PER_LINE = 4_000;

/** Notes the dangers of a script in AppleScript. */
export function analyseAppleScript(
  source: string,
  { notebook, shell, line = 1, depth = 0 }: { notebook: Notebook; shell: ShellAnalysis; line?: number; depth?: number },
): void {
  if (depth > 8 || !notebook.spend(source.length)) return;
  const byLine = new Map<number, { words: string[]; strings: string[] }>();
  for (const token of readTokens(source, { line, comments: 'dashes' })) {
    if (token.kind === 'mark') continue;
    const parts = byLine.get(token.line) ?? { words: [], strings: [] };
    byLine.set(token.line, parts);
    if (token.kind === 'string') parts.strings.push(token.text);
    else if (token.kind === 'name') parts.words.push(token.text.toLowerCase());
  }
  const looks = createLooks(notebook);
  for (const [at, parts] of byLine)
    noteLine(parts, {
      looks,
      note: (danger, words) => notebook.note(danger, words, at),
      shell: (text) => shell(text, { line: at, depth: depth + 1 }),
    });
}

type Noted = { looks: Looks; note(danger: Danger, words: string): void; shell(text: string): void };

function noteLine({ words, strings }: { words: string[]; strings: string[] }, { note, shell, looks }: Noted) {
  const text = words.join(' ').slice(0, MOST_PER_LINE);
  if (/\bdo shell script\b/u.test(text)) for (const each of strings) shell(each);
  for (const phrase of PHRASES) if (isIn(text, phrase)) note(phrase.danger, withObject(phrase.effect, strings));
  for (const each of strings) notePlaces(each, { note, looks });
}

function isIn(text: string, { words, later }: Phrase): boolean {
  const match = words.exec(text);
  if (match === null) return false;
  return later === undefined || later.test(text.slice(match.index + match[0].length));
}

function withObject(effect: string, strings: readonly string[]): string {
  const object = strings[0];
  return object === undefined
    ? effect
    : `${effect} ${effect.endsWith('s') || effect.endsWith('p') ? '' : ''}"${shortened(object)}"`;
}

function notePlaces(text: string, { note, looks }: Pick<Noted, 'note' | 'looks'>) {
  if (text.length > 300 || !text.includes('/')) return;
  const [secret, effect] = [looks.secret(text), looks.lastingEffect(text)];
  if (secret !== undefined) note('credentials', `uses ${shortened(text)} (${secret})`);
  else if (effect !== undefined) note('persists', `names ${shortened(text)}, ${effect}`);
}
