import type { PermissionState, Permissions } from '../../../src/contract/device.ts';
import type { DegradedReason } from '../../../src/contract/screen.ts';
import type { Failed } from '../outcome.ts';
import type { DesktopState, MacWindow } from './desktop-state.ts';

/** The third permission of the contract, Automation, is asked for by macOS when a script drives another app: the driver sends no Apple events. */
export type MacPermission = Exclude<keyof Permissions, 'automation'>;

type PermissionText = { name: string; why: string; pane: string; service: string };

const PRIVACY = 'x-apple.systempreferences:com.apple.preference.security';

/** `service` is the name that tccutil uses. */
const TEXTS: Record<MacPermission, PermissionText> = {
  screenRecording: {
    name: 'Screen & System Audio Recording (“Screen Recording” before macOS 15)',
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
};

/** The states as records and dashboards show them; `ownPids` are processes whose windows prove nothing. */
export function permissionStates(state: DesktopState, ownPids: ReadonlySet<number>): Permissions {
  return {
    screenRecording: known(
      ['granted', 'doubtful'].includes(screenRecording(state, ownPids)),
      state.grants.screenRecording,
    ),
    accessibility: known(state.grants.accessibility === true, state.grants.accessibility),
    automation: 'not_required',
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

/** Terminals that say who they are only by `TERM_PROGRAM`. */
const BUNDLE_IDS: ReadonlyMap<string, string> = new Map([
  ['Apple_Terminal', 'com.apple.Terminal'],
  ['iTerm.app', 'com.googlecode.iterm2'],
  ['vscode', 'com.microsoft.VSCode'],
  ['WezTerm', 'com.github.wez.wezterm'],
  ['ghostty', 'com.mitchellh.ghostty'],
  ['WarpTerminal', 'dev.warp.Warp-Stable'],
  ['Hyper', 'co.zeit.hyper'],
  ['Tabby', 'org.tabby'],
]);

/**
 * The bundle id of the app that macOS holds the permissions of this process against: the app itself, or the terminal it was
 * started from. LaunchServices puts it into the environment of everything it starts; `null` when nothing tells.
 */
export function responsibleApp(environment: NodeJS.ProcessEnv): string | null {
  const { __CFBundleIdentifier: launched = '', TERM_PROGRAM: terminal = '' } = environment;
  // It is printed as part of a command that a person may copy.
  if (/^[A-Za-z0-9.-]{1,255}$/.test(launched)) return launched;
  return BUNDLE_IDS.get(terminal) ?? null;
}

/** The steps for a person to grant it; for a stale grant, first the step that makes macOS forget it. */
export function howToGrant(
  permission: MacPermission,
  { stale = false, app = responsibleApp(process.env) }: GrantAdvice = {},
): string {
  const { name, pane, service } = TEXTS[permission];
  const owner = app === null ? 'the terminal that Handrail was started from' : app;
  const grant =
    `Under System Settings → Privacy & Security → ${name} (${pane}) switch on ${owner}, ` +
    'then quit that app, open it again and start Handrail in it.';
  const forget =
    app === null
      ? `run \`tccutil reset ${service} <bundle id>\` with the id that \`osascript -e 'id of app "Terminal"'\` prints for your terminal's name, and grant it anew.`
      : `run \`tccutil reset ${service} ${app}\` and grant it anew.`;
  const monthly =
    permission === 'screenRecording'
      ? ' macOS 15 and later ask again about once a month whether the app may bypass the private window picker: choose Allow.'
      : '';
  if (stale)
    return `macOS holds a grant for an older version of that app, although its switch looks on: ${forget} ${grant}${monthly}`;
  return `${grant} If it is on already, macOS holds a grant for an older version: ${forget}${monthly}`;
}

type GrantAdvice = { stale?: boolean; app?: string | null };

export function permissionMissing(permission: MacPermission, options: GrantAdvice = {}): Failed {
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
export function permissionReason(permission: MacPermission, options: GrantAdvice = {}): DegradedReason {
  const { message } = permissionMissing(permission, options);
  return { code: `permission_missing_${snake(permission)}`, message, fix: howToGrant(permission, options) };
}

function known(granted: boolean, told: boolean | null): PermissionState {
  if (granted) return 'granted';
  return told === null ? 'unknown' : 'denied';
}

function owners(windows: readonly MacWindow[]): number {
  return new Set(windows.map((window) => window.pid)).size;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `errAEEventNotPermitted`. The sentence before it is in the language of the person. */
const NOT_PERMITTED = /\(-1743\)/;

/** The remedy where the words of a program of macOS tell that Automation was denied, or undefined. */
export function automationRemedy(words: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (!NOT_PERMITTED.test(words)) return undefined;
  const owner = responsibleApp(environment) ?? 'the terminal that Handrail was started from';
  return (
    'macOS denied Automation (error −1743): under System Settings → Privacy & Security → Automation ' +
    `(x-apple.systempreferences:com.apple.preference.security?Privacy_Automation) switch on the other app below ${owner}. ` +
    'If it is not in the list, macOS asks again at the next attempt after `tccutil reset AppleEvents`.'
  );
}
