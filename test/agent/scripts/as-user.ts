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

/** Mounts a folder at another place, for this process and its children alone, and becomes a user there. */
const AT_ANOTHER_PLACE = `
mount --bind "$1" "$2" && cd / && shift 2 && exec setpriv --reuid "$1" --regid "$1" --clear-groups -- "\${@:2}"`;

/**
 * Runs a TypeScript file of the tests as that user and returns what it wrote to standard output. The ordinary user sees the project
 * at a place in the temporary folder, because the checkout may stand in a home that only root can enter.
 */
export async function runAs(
  user: TestUser,
  file: string,
  env: Record<string, string | undefined> = {},
): Promise<string> {
  const environment = { PATH: process.env.PATH, HOME: '/nonexistent', ...env };
  const run = promisify(execFile);
  if (user === 'root') return (await run(process.execPath, [file], { env: environment, cwd: '/' })).stdout;
  const place = mkdtempSync(join(tmpdir(), 'handrail-project-'));
  chmodSync(place, 0o755);
  const there = (path: string) => join(place, relative(PROJECT, path));
  const command = [PROJECT, place, String(uidOf(user)), there(process.execPath), there(file)];
  try {
    const args = ['--mount', 'bash', '-c', AT_ANOTHER_PLACE, 'bash', ...command];
    return (await run('unshare', args, { env: environment, cwd: '/' })).stdout;
  } finally {
    rmdirSync(place);
  }
}
