import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A name of an OS user that this machine does not know. */
export class UnknownOsUser extends Error {
  override name = 'UnknownOsUser';
}

/** The uids of OS users that are given by name or uid. */
export function uidsOf(users: readonly string[]): Promise<number[]> {
  return Promise.all(users.map((user) => (/^\d+$/.test(user) ? Number(user) : uidOf(user))));
}

/** Asks the system, which knows more users than `/etc/passwd` has. */
async function uidOf(name: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('id', ['-u', '--', name]);
    return Number(stdout);
  } catch (cause) {
    throw new UnknownOsUser(`HANDRAIL_ALLOW_OS_USERS names "${name}", and this machine has no such user.`, { cause });
  }
}
