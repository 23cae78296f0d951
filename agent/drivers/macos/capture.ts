import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bounds } from '../../../src/contract/device.ts';
import { howItEnded, type RunProgram } from './run-script.ts';

export type CaptureTarget =
  | { kind: 'display'; number: number }
  | { kind: 'region'; bounds: Bounds }
  | { kind: 'window'; id: string };

export type Captured<Result> = { ok: true; result: Result } | { ok: false; message: string };

const SCREENCAPTURE = '/usr/sbin/screencapture';
const TIMEOUT_MS = 15_000;

/** A PNG of the target, as macOS makes it: in physical pixels, without sound, shadow or pointer. */
export function capture(run: RunProgram, target: CaptureTarget, signal: AbortSignal): Promise<Captured<Uint8Array>> {
  return withCapture(run, { target, signal }, (path) => readFile(path));
}

/** Hands the path of a capture to `use`. The file is in a folder of its own that only this user can read, and is removed. */
export async function withCapture<Result>(
  run: RunProgram,
  { target, signal }: { target: CaptureTarget; signal: AbortSignal },
  use: (path: string) => Promise<Result>,
): Promise<Captured<Result>> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-capture-'));
  try {
    const path = join(folder, 'capture.png');
    const args = ['-x', '-t', 'png', ...options(target), path];
    const result = await run({ program: SCREENCAPTURE, args, timeoutMs: TIMEOUT_MS, signal });
    if (result.kind !== 'exited' || result.exitCode !== 0) return { ok: false, message: howItEnded(result) };
    return { ok: true, result: await use(path) };
  } catch (error) {
    // screencapture may end well and yet have written nothing.
    if (isMissingFile(error)) return { ok: false, message: 'it wrote no picture' };
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Values are attached to their option, so that a negative coordinate cannot be taken for an option itself. */
function options(target: CaptureTarget): string[] {
  switch (target.kind) {
    case 'display':
      return [`-D${target.number}`];
    case 'region': {
      const { x, y, width, height } = target.bounds;
      return [`-R${x},${y},${width},${height}`];
    }
    case 'window':
      return ['-o', `-l${target.id}`];
  }
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
