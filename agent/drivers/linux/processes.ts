import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';

/** Whether a process runs; one that has ended and waits to be collected does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const status = await processStatus(pid);
  return status !== null && !'ZXx'.includes(status.state);
}

/** Whether a process is one that was started as the leader of a session of its own, or comes from it. */
export async function isOfSession(pid: number, sessionId: number): Promise<boolean> {
  return pid === sessionId || (await processStatus(pid))?.sessionId === sessionId;
}

/** The short name of a process, at most 15 characters. */
export async function processName(pid: number): Promise<string | null> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => null);
  return name === null ? null : name.trim();
}

/** How long ago a process began; `null` when there is none. */
export async function processAgeMs(pid: number): Promise<number | null> {
  const status = await processStatus(pid);
  return status === null ? null : uptime() * 1000 - status.startedTicks * MS_PER_TICK;
}

/** Linux counts a hundred clock ticks a second towards programs, on every machine. */
const MS_PER_TICK = 10;

/** The name in the second field may hold spaces and parentheses, so the fields are counted from its end. */
async function processStatus(pid: number): Promise<ProcessStatus | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (line === null) return null;
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? 'X', sessionId: Number(fields[3]), startedTicks: Number(fields[19]) };
}

type ProcessStatus = { state: string; sessionId: number; startedTicks: number };
