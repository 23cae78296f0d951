import type { PermissionState, Permissions } from '../../../src/contract/device.ts';
import type { DegradedReason } from '../../../src/contract/screen.ts';
import type { Failed } from '../driver.ts';
import type { DesktopState, Grants, MacWindow } from './desktop-state.ts';

export type MacPermission = keyof Permissions;

type PermissionText = { name: string; why: string; pane: string; service: string };

const PRIVACY = 'x-apple.systempreferences:com.apple.preference.security';

/** `service` is what tccutil calls it. */
const TEXTS: Record<MacPermission, PermissionText> = {
  screenRecording: {
    name: 'Screen Recording',
    why: 'Without it macOS withholds what other apps show and the titles of their windows.',
    pane: `${PRIVACY}?Privacy_ScreenCapture`,
    service: 'ScreenCapture',
  },
  accessibility: {
    name: 'Accessibility',
    why: 'Without it macOS does not tell which buttons, menus and fields the apps show.',
    pane: `${PRIVACY}?Privacy_Accessibility`,
    service: 'Accessibility',
  },
  automation: {
    name: 'Automation',
    why: 'Without it macOS delivers no Apple events to other apps.',
    pane: `${PRIVACY}?Privacy_Automation`,
    service: 'AppleEvents',
  },
};

const EVENT_NOT_PERMITTED = -1743;

/** The states as records and dashboards show them; `ownPids` are processes whose windows prove nothing. */
export function permissionStates(state: DesktopState, ownPids: ReadonlySet<number>): Permissions {
  return {
    screenRecording: known(
      ['granted', 'doubtful'].includes(screenRecording(state, ownPids)),
      state.grants.screenRecording,
    ),
    accessibility: known(state.grants.accessibility === true, state.grants.accessibility),
    automation: automation(state.grants),
  };
}

/**
 * `stale`: macOS says yes, yet withholds the titles of all windows of several other apps. That happens after an update or
 * another signature, while the switch in System Settings still looks on. `doubtful`: the same of a single app, which may
 * have windows without titles. Where macOS does not say, titles of two other apps are proof; a single window may be one
 * that every app may see.
 */
export function screenRecording(
  { grants, windows }: DesktopState,
  ownPids: ReadonlySet<number>,
): 'granted' | 'denied' | 'stale' | 'doubtful' {
  if (grants.screenRecording === false) return 'denied';
  const others = othersWindows(windows, ownPids);
  const withTitle = owners(others.filter((window) => window.title !== null));
  if (grants.screenRecording === null) return withTitle >= 2 ? 'granted' : 'denied';
  if (others.length === 0 || withTitle > 0) return 'granted';
  return owners(others) > 1 ? 'stale' : 'doubtful';
}

/** The ordinary windows of other apps, front to back. */
export function othersWindows(windows: readonly MacWindow[], ownPids: ReadonlySet<number>): MacWindow[] {
  return windows.filter((window) => window.layer === 0 && !ownPids.has(window.pid));
}

/** What a person can do to grant it; for a stale grant, how to make macOS forget it first. */
export function howToGrant(permission: MacPermission, { stale = false } = {}): string {
  const { name, pane, service } = TEXTS[permission];
  const grant =
    `Under System Settings → Privacy & Security → ${name} (${pane}) switch on Handrail, ` +
    'or the terminal it was started from, then start it again.';
  const forget =
    `run \`tccutil reset ${service} ${process.env.__CFBundleIdentifier ?? '<bundle id>'}\`, ` +
    'start Handrail again and grant it anew.';
  if (stale)
    return `macOS holds a grant for an older version of Handrail, although its switch looks on: ${forget} ${grant}`;
  return `${grant} If it is on already, macOS holds a grant for an older version: ${forget}`;
}

export function permissionMissing(permission: MacPermission, options: { stale?: boolean } = {}): Failed {
  const { name, why } = TEXTS[permission];
  return {
    ok: false,
    code: 'permission_missing',
    message: `The permission ${name} (${permission}) is missing${options.stale ? ' in effect' : ''}. ${why}`,
    fix: howToGrant(permission, options),
    sideEffect: 'none',
  };
}

/** The same, for a description that goes on without it. */
export function permissionReason(permission: MacPermission, options: { stale?: boolean } = {}): DegradedReason {
  const { message } = permissionMissing(permission, options);
  return { code: `permission_missing_${snake(permission)}`, message, fix: howToGrant(permission, options) };
}

function known(granted: boolean, told: boolean | null): PermissionState {
  if (granted) return 'granted';
  return told === null ? 'unknown' : 'denied';
}

function automation(grants: Grants): PermissionState {
  if (grants.automation === 0) return 'granted';
  return grants.automation === EVENT_NOT_PERMITTED ? 'denied' : 'unknown';
}

function owners(windows: readonly MacWindow[]): number {
  return new Set(windows.map((window) => window.pid)).size;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
