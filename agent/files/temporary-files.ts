import { hash, randomBytes } from 'node:crypto';
import { lstat, opendir, unlink } from 'node:fs/promises';
import type { AnchoredFolder } from './anchored-folder.ts';

/** No write takes as long as this, so a temporary file of this age was left by an agent that was killed. */
const LEFT_AFTER_MS = 10 * 60_000;
/** A folder may hold very many files, and a write must not wait for a look at all of them. */
const MOST_LOOKED_AT = 5_000;

const NAME = /^\.handrail-([0-9a-f]{16})-([0-9a-f]{16})\.tmp$/;

/** The path of a file that does not exist yet, in a folder. Its name says that we made it. */
export function temporaryIn(folder: AnchoredFolder): string {
  const token = randomBytes(8).toString('hex');
  return folder.at(`.handrail-${token}-${markOf(token)}.tmp`);
}

/** The second half of a name follows from the first, so that no file of another program is taken for ours. */
function markOf(token: string): string {
  return hash('sha256', `handrail temporary file ${token}`).slice(0, 16);
}

function isOurs(name: string): boolean {
  const [, token = '', mark] = NAME.exec(name) ?? [];
  return mark === markOf(token);
}

/** Removes temporary files that an agent which was killed left in a folder. A failure keeps nobody from anything. */
export async function removeLeftovers(folder: AnchoredFolder, nowMs: number): Promise<void> {
  try {
    for (const name of await namesOfOurs(folder)) await removeOld(folder.at(name), nowMs);
  } catch {
    // A leftover that stays does no harm; the next write tries again.
  }
}

async function namesOfOurs(folder: AnchoredFolder): Promise<string[]> {
  const names: string[] = [];
  let looked = 0;
  for await (const { name } of await opendir(folder.path)) {
    looked += 1;
    if (looked > MOST_LOOKED_AT) break;
    if (isOurs(name)) names.push(name);
  }
  return names;
}

/** A link or a folder of such a name was not made by us. `unlink` removes the name alone, and follows no link. */
async function removeOld(path: string, nowMs: number): Promise<void> {
  const facts = await lstat(path);
  const isLeft = facts.isFile() && facts.uid === process.geteuid?.() && nowMs - facts.mtimeMs > LEFT_AFTER_MS;
  if (isLeft) await unlink(path);
}
