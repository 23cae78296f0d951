import { readdirSync, readFileSync } from 'node:fs';
import { LIMITS } from './sandbox.ts';

/** Looking at the pages of more memory than this takes too long. */
const MOST_LOOKED_THROUGH_BYTES = 4 * LIMITS.totalBytes;

/** An idle TCP connection counts as so many bytes. It also bounds how long the kernel's table can be. */
const BYTES_OF_TCP_SOCKET = 64 * 1024;
/** Fewer sockets of TCP hold too little to look at each. */
const FEW_TCP_SOCKETS = 8;

/** Reads a file of the kernel; empty where there is none. */
type Read = (path: string) => string;

/**
 * The most that the kernel can keep for the sockets of a process's network namespace, in bytes. Bytes that wait in connections of TCP
 * are counted. Other sockets tell no size, so each counts with the buffer that the system gives to a new socket: scripts cannot enlarge it
 * (`system-calls.ts`). A socket counts also when its process has closed it, as long as bytes wait in it.
 */
export function socketMemoryOf(pid: number, read: Read = fileText): number {
  const counts = read(`/proc/${pid}/net/sockstat`);
  const all = numberIn(counts, /^sockets: used (\d+)/mu);
  const ofTcp =
    numberIn(counts, /^TCP: inuse (\d+)/mu) + numberIn(read(`/proc/${pid}/net/sockstat6`), /^TCP6: inuse (\d+)/mu);
  const waiting =
    ofTcp <= FEW_TCP_SOCKETS ? 0 : queuesIn(read(`/proc/${pid}/net/tcp`)) + queuesIn(read(`/proc/${pid}/net/tcp6`));
  return Math.max(0, all - ofTcp) * bufferBytes(read) + ofTcp * BYTES_OF_TCP_SOCKET + waiting;
}

function bufferBytes(read: Read): number {
  const sizes = ['wmem_default', 'rmem_default'].map((name) => Number(read(`/proc/sys/net/core/${name}`)));
  return Math.max(...sizes);
}

/** The bytes that wait to be sent and to be read, in hexadecimal digits in each row of the kernel's table. */
function queuesIn(table: string): number {
  const rows = table.matchAll(/ ([0-9A-F]{8}):([0-9A-F]{8}) [0-9A-F]{2}:[0-9A-F]{8} /gu);
  return [...rows].reduce((sum, [, sent, received]) => sum + Number(`0x${sent}`) + Number(`0x${received}`), 0);
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended, or the kernel has no such sockets.
    return '';
  }
}

/**
 * Why the processes below one have to be ended, if they take too much together. The limits of the operating system count for
 * each process alone, and some of them do not count for root.
 */
export function excessOf(pid: number): string | undefined {
  const pids: number[] = [];
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    pids.push(next);
    if (pids.length > LIMITS.processes) return `more than ${LIMITS.processes} processes`; // guard E2-9
    open.push(...childrenOf(next));
  }
  // All but the first, which made it, are in the network namespace of the sandbox.
  const sockets = pids[1] === undefined ? 0 : socketMemoryOf(pids[1]); // guard X6-3
  if (!isTooLarge(pids, sockets)) return undefined;
  const most = `more than ${LIMITS.totalBytes / 1024 ** 2} MB of memory`;
  return isTooLarge(pids, 0) ? most : `${most} with the buffers of its sockets`;
}

/** Memory that several processes share counts once, where the sum of their sizes alone would be too large. `more`: bytes besides. */
function isTooLarge(pids: readonly number[], more: number): boolean {
  const sum = pids.reduce((total, pid) => total + memoryOf(pid), more);
  if (sum <= LIMITS.totalBytes) return false; // guard X6-1
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
