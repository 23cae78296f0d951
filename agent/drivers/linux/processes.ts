import { readFile } from 'node:fs/promises';

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

/** The name in the second field may hold spaces and parentheses, so the fields are counted from its end. */
async function processStatus(pid: number): Promise<{ state: string; sessionId: number } | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (line === null) return null;
  const [state = 'X', _parent, _group, sessionId] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return { state, sessionId: Number(sessionId) };
}
