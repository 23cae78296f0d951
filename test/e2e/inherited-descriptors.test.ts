import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { START, startDaemonWith } from './daemon.ts';

test('X13: neither daemon nor agent keeps a descriptor that a shell left open', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-left-open-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const command = ['bash', '--norc', '-c', `exec 200<${folder}; exec "$0" "$@"`, ...START];
  const dataDirectory = mkdtempSync(join(tmpdir(), 'handrail-e2e-'));
  const daemon = await startDaemonWith({ command, environment: { HANDRAIL_AGENT_DRIVER: 'fake' }, dataDirectory });
  onTestFinished(daemon.stop);
  const open = [daemon.pid, await daemon.agentPid()].flatMap(descriptorsOf);
  expect(open.length).toBeGreaterThan(0);
  expect(open).not.toContain(folder);
});

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      // It was closed since the list was made.
      return [];
    }
  });
}
