import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeDurably } from '../store/database/durable-file.ts';
import { healthAt } from './running-daemon.ts';

type Note = { port: number; instanceId: string };

/** Notes a daemon that listens. Answers how to take the note away. A daemon that was killed leaves it, and nothing answers there as it did. */
export function noteForAccount(folder: string, dataDirectory: string, { port, instanceId }: Note): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Several computers may share a home folder.
  const name = hash('sha256', `${hostname()}\0${dataDirectory}`).slice(0, 32);
  const file = join(folder, name);
  writeDurably(file, `${port}\n${instanceId}\n`);
  return () => rmSync(file, { force: true });
}

/**
 * Whether the daemons of the account that run now let a daemon of another machine act here. One that does not answer has a person too.
 */
export async function doorOf(folder: string, withinMs?: number): Promise<'no daemon' | 'open' | 'closed'> {
  const doors = await Promise.all(notesIn(folder).map((note) => doorOfOne(note, withinMs)));
  if (doors.includes('closed')) return 'closed'; // guard N55-6
  return doors.includes('open') ? 'open' : 'no daemon';
}

async function doorOfOne({ port, instanceId }: Note, withinMs?: number): ReturnType<typeof doorOf> {
  const answer = await healthAt(port, withinMs);
  if (answer === 'silence') return 'closed'; // guard N55-7
  // Another program, or another daemon with a note of its own, has the port of one that was killed.
  if (answer === 'nobody' || answer.instanceId !== instanceId) return 'no daemon';
  return answer.acceptsOtherDaemons === true ? 'open' : 'closed';
}

function notesIn(folder: string): Note[] {
  return namesIn(folder).flatMap((name) => {
    const [, port, instanceId = ''] = /^(\d{1,5})\n([\w-]+)\n$/.exec(textOf(join(folder, name))) ?? [];
    return port === undefined ? [] : [{ port: Number(port), instanceId }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{32}$/.test(name));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** Empty where the daemon took its note away meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsence(error)) return '';
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
