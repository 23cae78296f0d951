import type { DesktopEntry } from './desktop-entry-file.ts';

type Named = Pick<DesktopEntry, 'exec' | 'name' | 'path' | 'icon'>;

/**
 * The program and arguments of an Exec value, opened without any file, or with one address: quotes resolved, field codes replaced or
 * dropped. `null` for a line that breaks the rules (an open quote, an unknown field code) or names no program.
 */
export function commandOf(entry: Named, address?: string): [program: string, ...args: string[]] | null {
  const words = entry.exec === null ? null : splitWords(entry.exec);
  const expanded = words?.map((word) => expand(word, entry, address));
  if (expanded === undefined || expanded.some((word) => word === null)) return null;
  const [program, ...args] = expanded.flatMap((word) => word ?? []);
  return program === undefined || program === '' ? null : [program, ...args];
}

/** Whether the app takes an address as an argument of its own, so that it can be told which one to open. */
export function takesAddress({ exec }: Pick<DesktopEntry, 'exec'>): boolean {
  const words = (exec === null ? null : splitWords(exec)) ?? [];
  return words.slice(1).filter(({ text, quoted }) => !quoted && ADDRESS_CODE.test(text)).length === 1;
}

const ADDRESS_CODE = /^%[uU]$/;

type Word = { text: string; quoted: boolean };

const WORD = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s"\\]|\\[\s\S])+))(?=\s|$)|\s*(\S)/gy;

/** Inside double quotes a backslash stands before `"`, `` ` ``, `$` and itself; outside it is taken as it is. */
function splitWords(exec: string): Word[] | null {
  const words: Word[] = [];
  for (const [, quoted, plain, broken] of exec.trim().matchAll(WORD)) {
    if (broken !== undefined) return null;
    words.push(
      quoted === undefined
        ? { text: plain ?? '', quoted: false }
        : { text: quoted.replace(/\\(["`$\\])/g, '$1'), quoted: true },
    );
  }
  return words;
}

/** No file is opened, so that the codes for files and URLs stand for nothing; so do the deprecated ones. */
const EMPTY_CODES = 'fFuUdDnNvm';

function expand({ text, quoted }: Word, { name, path, icon }: Named, address: string | undefined): string[] | null {
  if (quoted) return [text.replace(/%%/g, '%')];
  if (address !== undefined && ADDRESS_CODE.test(text)) return [address];
  if (text === '%i') return icon === null ? [] : ['--icon', icon];
  if (/^%[a-zA-Z]$/.test(text) && EMPTY_CODES.includes(text.charAt(1))) return [];
  const replacements: Record<string, string> = { '%': '%', c: name, k: path, i: '' };
  for (const code of EMPTY_CODES) replacements[code] = '';
  let isKnown = true;
  const expanded = text.replace(/%(.?)/g, (_whole, code: string) => {
    isKnown &&= code in replacements;
    return replacements[code] ?? '';
  });
  return isKnown ? [expanded] : null;
}
