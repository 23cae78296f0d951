import type { Permissions } from '../contract/device.ts';
import type { PermissionStep } from '../contract/shell.ts';
import type { Daemon } from '../daemon.ts';
import type { GrantMemory } from '../shell/grant-memory.ts';
import { permissionSteps, provenNow } from '../shell/permission-walk.ts';
import type { Surface } from './surface.ts';

type Options = {
  electron: Pick<Surface, 'app' | 'systemPreferences'>;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  person: Pick<Daemon['person'], 'view' | 'lookAgain'>;
  memory: GrantMemory;
};

export type PermissionLooks = ReturnType<typeof createPermissionLooks>;

/** Combines the switches of macOS, the agent's own attempts, and the grants of earlier versions. */
export function createPermissionLooks({ electron, environment, platform, person, memory }: Options) {
  const { app, systemPreferences } = electron;
  const version = app.getVersion();

  /** As it is known now. Nothing in here makes macOS ask the person. */
  function steps(live: Permissions | null): PermissionStep[] {
    if (platform !== 'darwin') return [];
    const look = { live, proven: memory.read(), version };
    memory.write(provenNow(look));
    return permissionSteps({
      ...look,
      switchedOn: {
        screenRecording: systemPreferences.getMediaAccessStatus('screen') === 'granted',
        accessibility: systemPreferences.isTrustedAccessibilityClient(false),
      },
      // Set by macOS for every app that was started as one.
      bundleId: environment.__CFBundleIdentifier,
    });
  }

  return {
    steps,
    /** The same, after the agent has been asked to try again. A result that comes later is part of the next look. */
    async lookAgain(): Promise<PermissionStep[]> {
      await person.lookAgain();
      return steps(person.view().permissions);
    },
  };
}
