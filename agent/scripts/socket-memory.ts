import { readFileSync } from 'node:fs';

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
export function socketMemoryOf(pid: number, read: Read = textOf): number {
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

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended, or the kernel has no such sockets.
    return '';
  }
}
