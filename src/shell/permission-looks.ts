import type { Permissions } from '../contract/device.ts';
import type { PermissionStep } from '../contract/shell.ts';
import type { GrantMemory } from './grant-memory.ts';
import { type PermissionLook, permissionSteps, provenNow } from './permission-walk.ts';

type Options = {
  platform: NodeJS.Platform;
  /** The version of the app. */
  version: string;
  /** The bundle id of the app, where it is known. */
  bundleId: string | undefined;
  /** Reads the switches of macOS. Must not make macOS ask the person. */
  switchedOn(): PermissionLook['switchedOn'];
  person: { lookAgain(): Promise<void>; view(): { permissions: Permissions | null } };
  memory: GrantMemory;
};

export type PermissionLooks = {
  /** As it is known now; empty where the system needs none. */
  steps(live: Permissions | null): PermissionStep[];
  /** The same, after the agent has been asked to try again. A result that comes later is part of the next look. */
  lookAgain(): Promise<PermissionStep[]>;
};

/** Combines the switches of macOS, the agent's own attempts, and the grants of earlier versions. */
export function createPermissionLooks({ platform, switchedOn, person, memory, ...app }: Options): PermissionLooks {
  function steps(live: Permissions | null): PermissionStep[] {
    if (platform !== 'darwin') return [];
    const look = { live, proven: memory.read(), version: app.version };
    memory.write(provenNow(look));
    return permissionSteps({ ...look, switchedOn: switchedOn(), bundleId: app.bundleId });
  }
  return {
    steps,
    async lookAgain() {
      await person.lookAgain();
      return steps(person.view().permissions);
    },
  };
}
