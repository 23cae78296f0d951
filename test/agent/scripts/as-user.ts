import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

/** `root` stands for the user who runs the tests, whoever that is. The other one is an account without rights or files, made by `useradd`. */
export type TestUser = 'root' | 'ordinary';

/** Only root can act as another user. */
export const TEST_USERS: readonly TestUser[] = process.geteuid?.() === 0 ? ['root', 'ordinary'] : ['root'];

const ACCOUNT = 'handrail-test';
const PROJECT = join(import.meta.dirname, '../../..');

/** The uid of that user. The ordinary account is made on first use, and stays. */
export function uidOf(user: TestUser): number {
  if (user === 'root') return Number(process.geteuid?.());
  const known = uidOfAccount();
  if (known !== undefined) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT]);
  } catch (error) {
    // Another test file may have made it at the same moment.
    const made = uidOfAccount();
    if (made === undefined) throw error;
    return made;
  }
  return uidOf(user);
}

function uidOfAccount(): number | undefined {
  try {
    return Number(execFileSync('id', ['-u', ACCOUNT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return undefined;
  }
}

/** Mounts a folder at another place, and a small disk if one is asked for, for this process and its children alone, and becomes a user there. */
const AT_ANOTHER_PLACE = `
mount --bind "$1" "$2" || exit 1
[ -z "$SMALL_DISK" ] || mount -t tmpfs -o "size=256k,uid=$3" none "$SMALL_DISK" || exit 1
cd / && shift 2 && exec setpriv --reuid "$1" --regid "$1" --clear-groups -- "\${@:2}"`;

type Command = {
  env?: Record<string, string | undefined>;
  /** The arguments of the file. `there` answers where the user finds a file of the project. */
  args?: (there: (path: string) => string) => string[];
};

/**
 * Runs a file of the project by Node as that user and returns what it wrote to standard output. The ordinary user sees the project at a place in the temporary folder, because the checkout may stand in a home that only
 * root can enter. A disk of 256 KiB is mounted for it at the folder that the variable SMALL_DISK names.
 */
export async function runAs(
  user: TestUser,
  file: string,
  { env = {}, args = () => [] }: Command = {},
): Promise<string> {
  const environment = { PATH: process.env.PATH, HOME: '/nonexistent', ...env };
  if (user === 'root') return outputOf([process.execPath, file, ...args((path) => path)], environment);
  const place = mkdtempSync(join(tmpdir(), 'handrail-project-'));
  chmodSync(place, 0o755);
  const there = (path: string) => join(place, relative(PROJECT, path));
  const command = [PROJECT, place, String(uidOf(user)), there(process.execPath), there(file), ...args(there)];
  try {
    return await outputOf(
      ['unshare', '--mount', 'bash', '--norc', '-c', AT_ANOTHER_PLACE, 'bash', ...command],
      environment,
    );
  } finally {
    rmdirSync(place);
  }
}

async function outputOf([program = '', ...args]: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, cwd: '/', maxBuffer: MOST_OUTPUT_BYTES });
  return stdout;
}

const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;
