import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export type Ended = { code: number | null; output: string; errors: string };

/** Runs a script of packaging as npm does, without npm, and waits for its end. */
export async function runScript(
  file: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    read.output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    read.errors += chunk.toString('utf8');
  });
  const [code] = await once(child, 'close');
  return { code, ...read };
}
