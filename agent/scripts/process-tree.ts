import { readdirSync, readFileSync } from 'node:fs';
import { LIMITS } from './sandbox.ts';
import { socketMemoryOf } from './socket-memory.ts';

/** Looking at the pages of more memory than this takes too long. */
const MOST_LOOKED_THROUGH_BYTES = 4 * LIMITS.totalBytes;

/**
 * Why the processes below one have to be ended, if they take too much together. The limits of the operating system count for
 * each process alone, and some of them do not count for root.
 */
export function excessOf(pid: number): string | undefined {
  const pids: number[] = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    pids.push(next);
    if (pids.length > LIMITS.processes) return `more than ${LIMITS.processes} processes`;
    open.push(...childrenOf(next));
  }
  // All but the first, which made it, are in the network namespace of the sandbox.
  const sockets = pids[1] === undefined ? 0 : socketMemoryOf(pids[1]);
  if (!isTooLarge(pids, sockets)) return undefined;
  const most = `more than ${LIMITS.totalBytes / 1024 ** 2} MB of memory`;
  return isTooLarge(pids, 0) ? most : `${most} with the buffers of its sockets`;
}

/** Memory that several processes share counts once, where the sum of their sizes alone would be too large. `more`: bytes besides. */
function isTooLarge(pids: readonly number[], more: number): boolean {
  const sum = pids.reduce((total, pid) => total + memoryOf(pid), more);
  if (sum <= LIMITS.totalBytes) return false;
  if (sum > MOST_LOOKED_THROUGH_BYTES) return true;
  // A process that has ended since then has no share, so its memory is read again: it takes nothing now.
  const shares = pids.map((pid) => shareOf(pid) ?? memoryOf(pid));
  return shares.reduce((total, bytes) => total + bytes, more) > LIMITS.totalBytes;
}

/** The processes that another one has started and that still run. */
export function childrenOf(pid: number): number[] {
  const threads = textOf(() => readdirSync(`/proc/${pid}/task`).join(' ')).split(' ');
  return threads
    .flatMap((thread) => textOf(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')).split(' '))
    .filter((each) => each !== '')
    .map(Number);
}

const LOOK_AGAIN_AFTER_MS = 5;
const MOST_LOOKS = 400;

/** Waits until a process has ended, also where nobody asks for its exit code; two seconds at most. */
export async function untilEnded(pid: number | undefined): Promise<void> {
  for (let look = 0; look < MOST_LOOKS && pid !== undefined && isAlive(pid); look += 1)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_AFTER_MS));
}

function isAlive(pid: number): boolean {
  const status = textOf(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  return status !== '' && !/^State:\s+[ZX]/mu.test(status);
}

/** The memory that a process uses, in bytes. Pages that it shares with others count in full, pages of files do not count. */
function memoryOf(pid: number): number {
  return sumOf(
    textOf(() => readFileSync(`/proc/${pid}/status`, 'utf8')),
    /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gmu,
  );
}

/** The same with each shared page divided by the number of its users. A process can hide it; then there is no answer. */
function shareOf(pid: number): number | undefined {
  const pages = textOf(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return pages === '' ? undefined : sumOf(pages, /^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB$/gmu);
}

function sumOf(text: string, kilobytes: RegExp): number {
  return [...text.matchAll(kilobytes)].reduce((sum, [, number]) => sum + Number(number) * 1024, 0);
}

/** A process can end between two looks at it; it then takes nothing. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
