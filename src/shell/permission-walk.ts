import { readFileSync, writeFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Permissions } from '../contract/device.ts';
import { closed } from '../contract/literals.ts';
import {
  type MacPermission,
  PERMISSIONS_ON_DEMAND,
  PERMISSIONS_TO_GIVE,
  type PermissionOnDemand,
  type PermissionStep,
  type PermissionStepState,
  type PermissionToGive,
} from '../contract/shell.ts';

/** The version of the app in which each permission last had an effect. */
export type ProvenGrants = { [Permission in PermissionToGive]?: string };

type PermissionLook = {
  /** The result of the agent's own attempts; null while there is no agent. */
  live: Permissions | null;
  /** Whether macOS reports the switch as on. Only the agent's attempt shows whether it has an effect. */
  switchedOn: Record<PermissionToGive, boolean>;
  proven: ProvenGrants;
  version: string;
  /** The bundle id of the app, where it is known. */
  bundleId: string | undefined;
};

type Words = { name: string; why: string; pane: string };

const WORDS: Record<PermissionToGive, Words & { service: string }> = {
  screenRecording: {
    name: 'Screen & System Audio Recording',
    why: 'For screenshots, and for the titles of windows. Without it macOS shows Handrail only the wallpaper.',
    pane: 'Privacy_ScreenCapture',
    service: 'ScreenCapture',
  },
  accessibility: {
    name: 'Accessibility',
    why: 'For the buttons, menus and fields of apps. Without it a description of the screen has only windows.',
    pane: 'Privacy_Accessibility',
    service: 'Accessibility',
  },
};

const WORDS_ON_DEMAND: Record<PermissionOnDemand, Words & { todo: string }> = {
  automation: {
    name: 'Automation',
    why: 'For AppleScript and JavaScript scripts that drive other apps. No other action needs it.',
    todo: 'macOS asks once for each app that such a script drives.',
    pane: 'Privacy_Automation',
  },
  filesAndFolders: {
    name: 'Files & Folders',
    why: 'For files in your Desktop, Documents and Downloads folders.',
    todo: 'macOS asks once for each of the three folders.',
    pane: 'Privacy_FilesAndFolders',
  },
};

/** The address of the pane of System Settings with the switch of a permission. */
export function paneOf(permission: MacPermission): string {
  const { pane } = { ...WORDS, ...WORDS_ON_DEMAND }[permission];
  return `x-apple.systempreferences:com.apple.preference.security?${pane}`;
}

/**
 * The permissions in the order in which the person gives them, each with its state and the next thing to do. Last come those that macOS
 * asks for when an action needs them.
 */
export function permissionSteps(look: PermissionLook): PermissionStep[] {
  const toGive = PERMISSIONS_TO_GIVE.map((permission) => {
    const { name, why } = WORDS[permission];
    const state = stateOf(permission, look);
    return { permission, state, name, why, ...adviceOn(state, { ...look, permission }) };
  });
  const onDemand = PERMISSIONS_ON_DEMAND.map((permission) => {
    const { name, why, todo } = WORDS_ON_DEMAND[permission];
    const where = `If you denied it, change that under ${nameInSettings(look.bundleId)} there.`;
    return { permission, state: 'on_demand' as const, name, why, todo: `${todo} ${where}` };
  });
  return [...toGive, ...onDemand];
}

/** Whether the person has something to do. An agent that has not looked yet is no reason to ask the person for anything. */
export function needsPerson(steps: readonly PermissionStep[]): boolean {
  return steps.some(({ state }) => state === 'missing' || state === 'stale');
}

/** Adds the grants that have an effect now. Lost grants stay noted: that tells a lost grant from one that never was. */
export function provenNow({
  live,
  proven,
  version,
}: Pick<PermissionLook, 'live' | 'proven' | 'version'>): ProvenGrants {
  const granted = PERMISSIONS_TO_GIVE.filter((permission) => live?.[permission] === 'granted');
  return { ...proven, ...Object.fromEntries(granted.map((permission) => [permission, version])) };
}

/** The name of this app in the lists of System Settings: `npm run desktop` starts Electron's own app. */
function nameInSettings(bundleId: string | undefined): string {
  return bundleId === 'com.github.Electron' ? 'Electron' : 'Handrail';
}

function stateOf(
  permission: PermissionToGive,
  { live, switchedOn, proven, version }: PermissionLook,
): PermissionStepState {
  const found = live?.[permission] ?? 'unknown';
  if (found === 'granted' || found === 'not_required') return 'granted';
  if (found === 'unknown') return 'unknown';
  const before = proven[permission];
  const isLostByUpdate = before !== undefined && before !== version;
  return switchedOn[permission] || isLostByUpdate ? 'stale' : 'missing';
}

function adviceOn(
  state: PermissionStepState,
  { permission, proven, version, bundleId }: PermissionLook & { permission: PermissionToGive },
): Pick<PermissionStep, 'todo' | 'command'> {
  const { name, service } = WORDS[permission];
  const app = nameInSettings(bundleId);
  if (state === 'missing')
    return {
      todo: `Open System Settings, switch on ${app} under ${name}, and relaunch Handrail when macOS asks for it.`,
    };
  if (state !== 'stale') return {};
  const before = proven[permission];
  const cause =
    before !== undefined && before !== version
      ? `macOS gave this to ${app} ${before}. Handrail ${version} is another program to macOS, so it has no effect.`
      : 'The switch is on, but it has no effect: macOS holds it for another version of this app.';
  return {
    todo: `${cause} Remove ${app} from the list with the − button, or run the command below. Then add it again and relaunch.`,
    command: `tccutil reset ${service} ${bundleId ?? '<bundle id>'}`,
  };
}

/** Says when to lead the person to the permissions: once in a run, when the agent has found that one is missing. */
export function createFirstWalk(): (steps: readonly PermissionStep[]) => boolean {
  let wasShown = false;
  return (steps) => {
    if (wasShown || !needsPerson(steps)) return false;
    wasShown = true;
    return true;
  };
}

const Stored = Type.Object(
  { screenRecording: Type.Optional(Type.String()), accessibility: Type.Optional(Type.String()) },
  closed,
);
const stored = Compile(Stored);

type GrantMemory = { read(): ProvenGrants; write(grants: ProvenGrants): void };

/** Keeps in a file which permissions had an effect, and in which version of the app. A file that cannot be read counts as empty. */
export function createGrantMemory(path: string, log: { warn(fields: object, message: string): void }): GrantMemory {
  let latest = load(path, log);
  return {
    read: () => latest,
    write(grants) {
      if (JSON.stringify(grants) === JSON.stringify(latest)) return;
      latest = grants;
      try {
        writeFileSync(path, JSON.stringify(grants), { mode: 0o600 });
      } catch (error) {
        log.warn({ err: error }, 'which permissions had an effect could not be noted');
      }
    },
  };
}

function load(path: string, log: { warn(fields: object, message: string): void }): ProvenGrants {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return stored.Check(value) ? value : {};
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) log.warn({ err: error }, 'which permissions had an effect could not be read');
    return {};
  }
}

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
