import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesWith } from './processes.ts';

export type TestApp = { id: string; lines: readonly string[] };

export type TestApps = {
  /** To be laid over the environment of a driver. */
  env: { XDG_DATA_HOME: string };
  /** The processes alive that came from a driver with this environment. */
  running(): { pid: number; command: string }[];
  /** Ends those processes and takes the apps away. */
  remove(): Promise<void>;
};

/** Installs apps of a test's own beside those of the machine. */
export function installTestApps(apps: readonly TestApp[]): TestApps {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-apps-'));
  const applications = join(folder, 'applications');
  mkdirSync(applications);
  for (const { id, lines } of apps) {
    writeFileSync(join(applications, `${id}.desktop`), ['[Desktop Entry]', 'Type=Application', ...lines].join('\n'));
  }
  // Every program that the driver starts inherits it.
  const running = () => processesWith(`XDG_DATA_HOME=${folder}`);
  return {
    env: { XDG_DATA_HOME: folder },
    running,
    async remove() {
      for (const { pid } of running()) end(pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It may have ended by itself since it was listed.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
