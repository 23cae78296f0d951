import { readdirSync, readFileSync } from 'node:fs';
import { LIMITS } from './sandbox.ts';

/**
 * Why the processes below one have to be ended, if they take too much together. The limits of the operating system count for
 * each process alone, and some of them do not count for root.
 */
export function excessOf(pid: number): string | undefined {
  let bytes = 0;
  let processes = 0;
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    processes += 1;
    if (processes > LIMITS.processes) return `more than ${LIMITS.processes} processes`;
    bytes += memoryOf(next);
    open.push(...childrenOf(next));
  }
  return bytes > LIMITS.totalBytes ? `more than ${LIMITS.totalBytes / 1024 ** 2} MB of memory` : undefined;
}

/** The processes that another one has started and that still run. */
export function childrenOf(pid: number): number[] {
  const threads = textOf(() => readdirSync(`/proc/${pid}/task`).join(' ')).split(' ');
  return threads
    .flatMap((thread) => textOf(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')).split(' '))
    .filter((each) => each !== '')
    .map(Number);
}

function memoryOf(pid: number): number {
  const status = textOf(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(/^RssAnon:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) * 1024;
}

/** A process can end between two looks at it; it then takes nothing. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
