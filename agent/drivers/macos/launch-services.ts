import type { RunProgram } from './run-script.ts';

export type FrontApp = { pid: number | null; bundleId: string | null; name: string | null };

const LSAPPINFO = '/usr/bin/lsappinfo';
const TIMEOUT_MS = 2_000;

/** The front app as LaunchServices knows it, without scripting and without any permission; null when it would not say. */
export async function frontApp(run: RunProgram, signal: AbortSignal): Promise<FrontApp | null> {
  const front = await run({ program: LSAPPINFO, args: ['front'], timeoutMs: TIMEOUT_MS, signal });
  const serial = front.kind === 'exited' ? parseSerialNumber(front.stdout) : null;
  if (serial === null) return null;
  const args = ['info', '-only', 'pid', '-only', 'bundleid', '-only', 'name', serial];
  const info = await run({ program: LSAPPINFO, args, timeoutMs: TIMEOUT_MS, signal });
  return info.kind === 'exited' && info.exitCode === 0 ? parseAppInfo(info.stdout) : null;
}

/** `ASN:0x0-0x1a01a:`, with or without brackets around it; `[ NULL ]` when no app is in front. */
export function parseSerialNumber(output: string): string | null {
  return /ASN:0x[\da-f]+-(?:0x)?[\da-f]+:?/i.exec(output)?.[0] ?? null;
}

/** Lines of `"key"=value`; which spelling a key has differs between versions of macOS. */
export function parseAppInfo(output: string): FrontApp | null {
  const pid = /"pid"\s*=\s*(\d+)/i.exec(output)?.[1];
  const bundleId = /"(?:CFBundleIdentifier|bundleid)"\s*=\s*"([^"]+)"/i.exec(output)?.[1];
  const name = /"(?:LSDisplayName|name)"\s*=\s*"([^"]+)"/i.exec(output)?.[1];
  if (pid === undefined && bundleId === undefined && name === undefined) return null;
  return { pid: pid === undefined ? null : Number(pid), bundleId: bundleId ?? null, name: name ?? null };
}
