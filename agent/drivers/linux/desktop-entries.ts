import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** One application as its desktop entry describes it (Desktop Entry Specification 1.5). */
export type DesktopEntry = {
  /** The desktop file id without `.desktop`, such as `org.gnome.Calculator`. */
  id: string;
  path: string;
  /** As people see it, in the language of the session. */
  name: string;
  /** The name in every language the entry has one in, `name` included. */
  names: readonly string[];
  genericName: string | null;
  /** As written; absent when the app is started over D-Bus only. */
  exec: string | null;
  tryExec: string | null;
  workingDirectory: string | null;
  icon: string | null;
  terminal: boolean;
  /** Not meant for menus: found by its exact name only, and never suggested. */
  noDisplay: boolean;
  startupWmClass: string | null;
  /** The menu categories, such as `TerminalEmulator`. */
  categories: readonly string[];
  dbusActivatable: boolean;
};

/** `removed` is an entry that takes away one of the same id in a folder of lower rank. */
type ParsedEntry = { kind: 'application'; entry: DesktopEntry } | { kind: 'removed' } | { kind: 'other' };

type EntrySource = { id: string; path: string; text: string };

/** `locale` is as in LC_MESSAGES, such as `de_AT.UTF-8`. Never throws: an entry that is no application is `other`. */
export function parseDesktopEntry({ id, path, text }: EntrySource, locale: string): ParsedEntry {
  const values = mainGroup(text);
  const name = localized(values, 'Name', locale);
  if (isTrue(values.get('Hidden'))) return { kind: 'removed' };
  if (values.get('Type') !== 'Application' || name === null) return { kind: 'other' };
  const exec = values.get('Exec') ?? null;
  const dbusActivatable = isTrue(values.get('DBusActivatable'));
  if (exec === null && !dbusActivatable) return { kind: 'other' };
  const entry = {
    id,
    path,
    name,
    names: [...new Set([name, ...allLocalized(values, 'Name')])],
    genericName: localized(values, 'GenericName', locale),
    exec,
    tryExec: values.get('TryExec') ?? null,
    workingDirectory: values.get('Path') || null,
    icon: values.get('Icon') ?? null,
    terminal: isTrue(values.get('Terminal')),
    noDisplay: isTrue(values.get('NoDisplay')),
    startupWmClass: values.get('StartupWMClass') || null,
    categories: (values.get('Categories') ?? '').split(';').filter((category) => category !== ''),
    dbusActivatable,
  };
  return { kind: 'application', entry };
}

/** The values of the group `[Desktop Entry]` with their escapes resolved; of a key given twice the first counts. */
function mainGroup(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let inMainGroup = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('[')) inMainGroup = line.trim() === '[Desktop Entry]';
    const [, key, value] = /^([A-Za-z0-9-]+(?:\[[^\]]+\])?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (inMainGroup && key !== undefined && value !== undefined && !values.has(key)) values.set(key, unescaped(value));
  }
  return values;
}

const ESCAPES: Record<string, string> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' };

function unescaped(value: string): string {
  return value.trimEnd().replace(/\\(.)/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
}

function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

function localized(values: ReadonlyMap<string, string>, key: string, locale: string): string | null {
  const keys = [...localeVariants(locale).map((variant) => `${key}[${variant}]`), key];
  const found = keys.map((candidate) => values.get(candidate)).find((value) => value !== undefined && value !== '');
  return found ?? null;
}

/** Best match first: `lang_COUNTRY@MODIFIER`, `lang_COUNTRY`, `lang@MODIFIER`, `lang`. */
function localeVariants(locale: string): string[] {
  const { language, country, modifier } =
    /^(?<language>[a-z]+)(?:_(?<country>[A-Z]+))?(?:\.[^@]*)?(?:@(?<modifier>.+))?$/.exec(locale)?.groups ?? {};
  if (language === undefined) return [];
  const withCountry = country === undefined ? [] : [`${language}_${country}`];
  const plain = [...withCountry, language];
  return modifier === undefined ? plain : plain.flatMap((variant) => [`${variant}@${modifier}`, variant]);
}

function allLocalized(values: ReadonlyMap<string, string>, key: string): string[] {
  return [...values].filter(([name]) => name === key || name.startsWith(`${key}[`)).map(([, value]) => value);
}

export type DesktopEntries = {
  /** The apps installed now; of two with one id, that of the folder of higher rank. */
  list(): Promise<DesktopEntry[]>;
};

/** Reads XDG desktop entries afresh each time, but parses a file again only when it changed. */
export function createDesktopEntries(environment: NodeJS.ProcessEnv): DesktopEntries {
  const parsed = new Map<string, { stamp: string; result: ParsedEntry }>();
  const locale = localeOf(environment);

  async function parse({ id, path }: EntryFile): Promise<ParsedEntry> {
    const status = await stat(path).catch(() => null);
    if (status === null) return { kind: 'other' };
    const stamp = `${status.mtimeMs} ${status.size} ${status.ino}`;
    const known = parsed.get(path);
    if (known?.stamp === stamp) return known.result;
    const text = await readFile(path, 'utf8').catch(() => '');
    const result = parseDesktopEntry({ id, path, text }, locale);
    parsed.set(path, { stamp, result });
    return result;
  }

  return {
    async list() {
      const files = (await Promise.all(applicationFolders(environment).map(entryFiles))).flat();
      const highestRank = [...new Map(files.toReversed().map((file) => [file.id, file])).values()].toReversed();
      const results = await Promise.all(highestRank.map(parse));
      const entries = results.flatMap((result) => (result.kind === 'application' ? [result.entry] : []));
      const installed = await Promise.all(entries.map((entry) => isInstalled(entry, environment)));
      return entries.filter((_entry, index) => installed[index]);
    },
  };
}

/** Whether a program can be run: a path, or a name found in PATH. */
export async function isExecutable(program: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const { PATH: path = '' } = environment;
  const places = isAbsolute(program) ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  const answers = await Promise.all(
    places.map((place) =>
      access(place, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return answers.includes(true);
}

type EntryFile = { id: string; path: string };

/** Highest rank first, as the XDG Base Directory Specification has it. */
function applicationFolders(environment: NodeJS.ProcessEnv): string[] {
  const { XDG_DATA_HOME: dataHome, XDG_DATA_DIRS: dataDirs, HOME: home = homedir() } = environment;
  const folders = [dataHome || join(home, '.local/share'), ...(dataDirs || '/usr/local/share:/usr/share').split(':')];
  return folders.filter((folder) => isAbsolute(folder)).map((folder) => join(folder, 'applications'));
}

async function entryFiles(folder: string): Promise<EntryFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.desktop'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ id: path.slice(folder.length + 1, -'.desktop'.length).replaceAll('/', '-'), path }));
}

async function isInstalled({ tryExec }: DesktopEntry, environment: NodeJS.ProcessEnv): Promise<boolean> {
  return tryExec === null || tryExec === '' || isExecutable(tryExec, environment);
}

function localeOf({ LC_ALL: all, LC_MESSAGES: messages, LANG: language }: NodeJS.ProcessEnv): string {
  return all || messages || language || 'C';
}

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
