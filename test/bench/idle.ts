import { setTimeout as delay } from 'node:timers/promises';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { residentMegabytes } from '../e2e/reading-load.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';

/** Guardian looks around for the first time after one minute. Two minutes later memory has settled. */
const SETTLED_MS = shortened(200_000);
const MOST_MEGABYTES = 200;

/** Measures the resident memory of a daemon and an agent that nobody uses. */
export async function benchIdle(environment: Record<string, string>, report: Report): Promise<void> {
  report.heading(`Resident memory of a daemon at rest, ${SETTLED_MS / 1_000} s after its start`);
  const daemon = await startDaemonProcess(environment);
  try {
    await delay(SETTLED_MS);
    const sizes = { daemon: residentMegabytes(daemon.pid), agent: residentMegabytes(await daemon.agentPid()) };
    for (const [name, value] of Object.entries(sizes)) report.figure({ name, value, unit: 'MB' });
    const value = sizes.daemon + sizes.agent;
    report.figure({ name: 'both', value, unit: 'MB', goal: { atMost: MOST_MEGABYTES } });
  } finally {
    await daemon.stop();
  }
}
