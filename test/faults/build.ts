import { join } from 'node:path';
import { buildDaemonIfNeeded } from '../../src/packaging/build-if-needed.ts';

/** The bundle of the watched daemon and the watched agent. Some hundred daemons start here, and a bundle starts in half the time. */
export const FAULTS_FOLDER = join(import.meta.dirname, '../../dist/faults');

/** The set-up of the kill matrix. */
export async function setup(): Promise<void> {
  await buildDaemonIfNeeded({
    into: FAULTS_FOLDER,
    programs: { 'watched-daemon': 'test/faults/daemon.ts', 'watched-agent': 'test/faults/agent.ts' },
  });
}
