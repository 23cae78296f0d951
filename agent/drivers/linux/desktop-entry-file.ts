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
export type ParsedEntry = { kind: 'application'; entry: DesktopEntry } | { kind: 'removed' } | { kind: 'other' };

export type EntrySource = { id: string; path: string; text: string };

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
