import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { type DesktopEntry, type ParsedEntry, parseDesktopEntry } from './desktop-entry-file.ts';

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
