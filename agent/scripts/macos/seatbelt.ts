import { foldersAbove, type HiddenPath, type WritablePath } from '../sandbox.ts';

/** The rights of a script on a Mac. Everything else is closed to it. */
export type MacSandbox = {
  writable: readonly WritablePath[];
  hidden: readonly HiddenPath[];
  readOnly: readonly string[];
  /** The folder with the script, which it may read, and the empty home folder in it, which it may write. */
  scratch: { folder: string; home: string };
  /** The program of Node, for scripts that need it. */
  node?: string;
  /** The port of the proxy on this machine; without it the script has no network. */
  proxyPort?: number;
};

/**
 * The profile for `sandbox-exec`, with the values of its parameters. No path becomes part of the text: each is a parameter, so that quotes,
 * parentheses and line breaks in a name mean nothing. The last rule that matches decides.
 */
export function seatbeltProfile(sandbox: MacSandbox): { profile: string; parameters: Record<string, string> } {
  const { parameters, named } = namer();
  const { scratch, node, proxyPort, readOnly } = sandbox;
  const lines = [
    ...BASE,
    `(allow ${RUN} (subpath ${named(scratch.folder)}))`,
    `(allow file-write* (subpath ${named(scratch.home)}))`,
    ...(node === undefined ? [] : [`(allow ${RUN} (literal ${named(node)}))`, '(allow dynamic-code-generation)']),
    ...sandbox.writable.map(({ path, kind }) => `(allow file* process-exec (${filterOf(kind)} ${named(path)}))`),
    ...(sandbox.writable.length === 0 ? [] : [NO_NEW_REPOSITORY]),
    NO_OTHER_RIGHTS,
    // A program looks at each folder on the way to its own files.
    ...waysTo(sandbox).map((path) => `(allow file-read-metadata file-test-existence (literal ${named(path)}))`),
    ...readOnly.map((path) => `(deny file-write* file-link (subpath ${named(path)}))`),
    ...sandbox.hidden.map(({ path, kind }) => `(deny file* (${filterOf(kind)} ${named(path)}))`),
    // If the script renamed such a folder, the hidden files in it would move to a path that no rule names.
    ...foldersAbove(sandbox).map((path) => `(deny file-write-unlink (literal ${named(path)}))`),
    ...(proxyPort === undefined ? [] : [`(allow network-outbound (remote tcp "localhost:${Math.trunc(proxyPort)}"))`]),
  ];
  return { profile: `${lines.join('\n')}\n`, parameters };
}

/** The arguments of `sandbox-exec` before the command. */
export function seatbeltArguments(sandbox: MacSandbox): string[] {
  const { profile, parameters } = seatbeltProfile(sandbox);
  return [...Object.entries(parameters).flatMap(([name, value]) => ['-D', `${name}=${value}`]), '-p', profile];
}

/** The rights to read, run and load a program and its libraries. Without the last two, macOS ends the program before it begins. */
const RUN = 'file-read* process-exec file-map-executable file-test-existence';
const READ = 'file-read* file-map-executable file-test-existence';

/** Programs of the person run commands from a repository. Under this name none can be made, renamed to or linked to. */
const NO_NEW_REPOSITORY = '(deny file-write-create file-link (regex #"/\\.([gG][iI][tT]|[hH][gG]|[jJ][jJ])$"))';

/** Another user who runs a file with such a bit would have the rights of the person. */
const NO_OTHER_RIGHTS = '(deny file-write-setugid)';

/** Programs and libraries of the system, and nothing of the person. No service of macOS can be called but the one for user names. */
const BASE = [
  '(version 1)',
  '(deny default)',
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  `(allow ${RUN} (subpath "/bin") (subpath "/usr") (subpath "/System") (subpath "/Library/Developer/CommandLineTools") (subpath "/opt/homebrew"))`,
  `(allow ${READ} (literal "/") (subpath "/private/etc/ssl") (subpath "/private/var/db/dyld") (subpath "/private/preboot/Cryptexes") (subpath "/private/var/select"))`,
  '(allow file-read* file-test-existence (literal "/private/etc/localtime") (subpath "/private/var/db/timezone"))',
  '(allow file-read-metadata file-test-existence (literal "/etc") (literal "/tmp") (literal "/var") (literal "/private") (literal "/private/var"))',
  '(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))',
  '(allow file-read* file-write-data (subpath "/dev/fd"))',
  '(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))',
];

function filterOf(kind: 'file' | 'folder'): 'literal' | 'subpath' {
  return kind === 'file' ? 'literal' : 'subpath';
}

/** The folders above each place that is open to the script, without those above places of the system. The script can tell that they exist. */
function waysTo({ scratch, node, writable }: MacSandbox): string[] {
  const places = [scratch.folder, ...(node === undefined ? [] : [node]), ...writable.map(({ path }) => path)];
  const above = places.flatMap((path) => {
    const parts = path.split('/').slice(1, -1);
    return parts.map((_part, index) => `/${parts.slice(0, index + 1).join('/')}`);
  });
  return [...new Set(above)];
}

/** Gives each path a parameter; the same path has one name. */
function namer() {
  const parameters: Record<string, string> = {};
  const names = new Map<string, string>();
  return {
    parameters,
    named(path: string): string {
      const name = names.get(path) ?? `PATH_${names.size}`;
      names.set(path, name);
      parameters[name] = path;
      return `(param "${name}")`;
    },
  };
}
