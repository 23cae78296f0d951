import type { BigIntStats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Small folders in the home folder whose files are all secret. */
const FOLDERS = ['.ssh', '.gnupg', '.gnupg/private-keys-v1.d', '.aws', '.kube', '.docker', 'Library/Keychains'];
/** Single secret files in the home folder. */
const FILES = ['.netrc', '.npmrc', '.git-credentials', '.pgpass', '.bash_history', '.zsh_history', '.env'];
const MOST_LOOKED_AT = 500;

/**
 * Whether a file with several names is a secret file under another name: a hard link has no target to follow. Only well-known
 * places are searched, so a file with several names is never treated as lying in an allowed folder either.
 */
export async function secretBehindLinks(facts: BigIntStats, home: string): Promise<string | undefined> {
  if (!facts.isFile() || facts.nlink < 2n) return undefined;
  for await (const path of secretPlaces(home)) {
    const other = await stat(path, { bigint: true }).catch(() => undefined);
    if (other?.dev === facts.dev && other.ino === facts.ino) return 'a secret file under a second name';
  }
  return undefined;
}

async function* secretPlaces(home: string): AsyncGenerator<string> {
  yield* FILES.map((name) => join(home, name));
  let looked = 0;
  for (const folder of FOLDERS) {
    const entries = await opendir(join(home, folder)).catch(() => undefined);
    if (entries === undefined) continue;
    for await (const entry of entries) {
      looked += 1;
      if (looked > MOST_LOOKED_AT) return;
      yield join(home, folder, entry.name);
    }
  }
}
