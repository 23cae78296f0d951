import type { PermissionToGive } from '../contract/shell.ts';
import type { Surface } from './surface.ts';

/** The switches of System Settings, as macOS reports them. It does not ask the person. */
export function readSwitches({
  systemPreferences,
}: {
  systemPreferences: Pick<Surface['systemPreferences'], 'getMediaAccessStatus' | 'isTrustedAccessibilityClient'>;
}): Record<PermissionToGive, boolean> {
  return {
    screenRecording: systemPreferences.getMediaAccessStatus('screen') === 'granted',
    accessibility: systemPreferences.isTrustedAccessibilityClient(false),
  };
}
