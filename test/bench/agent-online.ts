import { until } from '../desktop/processes.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';

/** Long enough for a machine with much other work: it only ends a bench that hangs. */
export const PATIENCE_MS = 180_000;

export async function agentOnline(daemon: Pick<RunningDaemon, 'health'>): Promise<void> {
  await until('the agent is online', async () => (await daemon.health()).body.checks.agent === 'online', PATIENCE_MS);
}
