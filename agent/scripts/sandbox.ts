import type { FileIdentity } from '../../src/contract/files.ts';
import type { Interpreter } from '../../src/contract/scripts.ts';

/** A file or folder that the script may read and write, by its real path. It must still be the one that was judged. */
export type WritablePath = { path: string; kind: 'file' | 'folder'; identity: FileIdentity };

/** A place inside a writable folder that the script must not see, because it is secret or a door to another program. */
export type HiddenPath = { path: string; kind: 'file' | 'folder' };

/** The interpreters that run in a sandbox. AppleScript and JXA work by driving other apps, which run outside of every sandbox. */
export type SandboxedInterpreter = Exclude<Interpreter, 'applescript' | 'javascript'>;

/** The rights of a script. Everything else is closed to it. */
export type Sandbox = {
  interpreter: SandboxedInterpreter;
  /** Where the script starts; the empty folder of the sandbox if there is none. */
  folder?: string;
  writable: readonly WritablePath[];
  hidden: readonly HiddenPath[];
  /** Existing places in a writable folder that stay as they are. */
  readOnly: readonly string[];
  /** Which file or folder each read-only place, and each folder above a protected place, was when it was looked at. */
  identities: ReadonlyMap<string, FileIdentity>;
  environment: Readonly<Record<string, string>>;
  /** The socket of the proxy, outside of the sandbox; without it the script has no network. */
  proxySocket?: string;
};

/**
 * The folders from a writable one down to each place that is hidden or read-only, the writable ones among them. Renamed, such a
 * folder would take the place along to a path that nothing protects.
 */
export function foldersAbove({
  writable,
  hidden,
  readOnly,
}: Pick<Sandbox, 'writable' | 'hidden' | 'readOnly'>): string[] {
  const kept = [...hidden.map(({ path }) => path), ...readOnly];
  const above = kept.flatMap((path) =>
    writable.flatMap((root) => {
      if (!path.startsWith(`${root.path}/`)) return [];
      const parts = path.slice(root.path.length + 1).split('/');
      return parts.map((_part, index) => [root.path, ...parts.slice(0, index)].join('/'));
    }),
  );
  return [...new Set(above)];
}

const GIB = 1024 ** 3;

/** Above these a script is ended. */
export const LIMITS = {
  /** Memory of one process. */
  processBytes: GIB,
  /** Memory of all processes of the script together. */
  totalBytes: 2 * GIB,
  processes: 256,
  fileBytes: GIB,
  openFiles: 1_024,
  temporaryBytes: GIB / 4,
} as const;

/** Where the script has its own file, and a home folder of its own. Nothing of the person's is there. */
export const PLACES = {
  script: '/run/handrail/script',
  node: '/run/handrail/node',
  home: '/tmp/home',
  relay: '/run/handrail/relay',
  proxy: '/run/handrail/proxy',
} as const;
