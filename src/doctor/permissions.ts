import type { Permissions } from '../contract/device.ts';
import type { Finding } from './finding.ts';

export type PermissionsTold = Pick<Permissions, 'screenRecording' | 'accessibility'>;
type Machine = { platform: NodeJS.Platform; permissions(): Promise<PermissionsTold | undefined> };

const check = 'permissions';
/** The names of the panes of System Settings. */
export const PLACES: Readonly<Record<keyof PermissionsTold, string>> = {
  screenRecording: 'Screen & System Audio Recording',
  accessibility: 'Accessibility',
};

/** Only the agent of a running daemon can tell them: they belong to the program that asks. */
export async function checkPermissions({ platform, permissions }: Machine): Promise<Finding[]> {
  if (platform !== 'darwin') return [{ check, state: 'good', message: 'none are needed on this system' }];
  const told = await permissions();
  if (told === undefined)
    return [{ check, state: 'note', message: 'They are known only while Handrail runs.', remedy: 'handrail start' }];
  const denied = (['screenRecording', 'accessibility'] as const).filter((name) => told[name] === 'denied');
  if (denied.length === 0) return [{ check, state: 'good', message: 'screen recording and accessibility' }];
  return denied.map((name) => ({
    check,
    state: 'problem',
    message: `macOS does not allow Handrail ${PLACES[name]}.`,
    remedy: `System Settings → Privacy & Security → ${PLACES[name]}: switch it on for the program that starts Handrail.`,
  }));
}
