import { onTestFinished } from 'vitest';
import { type FilesRig, startFilesRig } from './files-rig.ts';

/** For one test that runs scripts in `~/work`. A sandbox has a folder /tmp of its own, so the home lies elsewhere. */
export async function startScriptsRig(environment: Record<string, string> = {}): Promise<FilesRig> {
  const rig = await startFilesRig({ under: '/var/tmp', environment });
  onTestFinished(rig.stop);
  await rig.allow('~/work');
  return rig;
}
