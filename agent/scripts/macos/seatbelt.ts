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
    `(allow file-read* process-exec (subpath ${named(scratch.folder)}))`,
    `(allow file-write* (subpath ${named(scratch.home)}))`,
    ...(node === undefined ? [] : [`(allow file-read* process-exec (literal ${named(node)}))`]),
    ...sandbox.writable.map(({ path, kind }) => `(allow file* process-exec (${filterOf(kind)} ${named(path)}))`),
    ...readOnly.map((path) => `(deny file-write* file-link (subpath ${named(path)}))`),
    ...sandbox.hidden.map(({ path, kind }) => `(deny file* (${filterOf(kind)} ${named(path)}))`),
    // Renamed, a folder would take what is hidden in it to a place that no rule names.
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

/** Programs and libraries of the system, and nothing of the person. No service of macOS can be called but the one for user names. */
const BASE = [
  '(version 1)',
  '(deny default)',
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  '(allow file-read* process-exec (subpath "/bin") (subpath "/usr") (subpath "/System") (subpath "/Library/Developer/CommandLineTools") (subpath "/opt/homebrew"))',
  '(allow file-read* (literal "/") (subpath "/private/etc/ssl") (subpath "/private/var/db/dyld") (subpath "/private/var/select"))',
  '(allow file-read-metadata (literal "/etc") (literal "/tmp") (literal "/var") (literal "/private") (literal "/private/var"))',
  '(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))',
  '(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))',
];

function filterOf(kind: 'file' | 'folder'): 'literal' | 'subpath' {
  return kind === 'file' ? 'literal' : 'subpath';
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
