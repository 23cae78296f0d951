import type { BigIntStats } from 'node:fs';

/** The newest are remembered; each script adds those of its folder again. */
const MOST_REMEMBERED = 20_000;

/** Marks of the files and folders that this agent has hidden from scripts. A mark stays the same when the file gets another name. */
const remembered = new Set<string>();

type Facts = Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>;

/** A later file may get the same inode. The time of creation tells the two apart. */
export function fileMark({ dev, ino, birthtimeNs }: Facts): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}

/** Remembers a place that is hidden from a script, so that it stays secret under another name. */
export function rememberSecret(mark: string): void {
  remembered.delete(mark);
  remembered.add(mark);
  const [oldest] = remembered;
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** Whether some facts are those of a place that was hidden from a script. */
export function wasHidden(facts: Facts): boolean {
  return remembered.has(fileMark(facts));
}

/** Why a place is secret although its name is harmless: it, or a folder above it, was hidden from a script under another name. */
export function secretUnderAnotherName(chain: readonly Facts[]): string | undefined {
  return chain.some(wasHidden) ? 'a place that was hidden from a script, under another name' : undefined;
}
