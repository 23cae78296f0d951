import { evidenceOf } from './evidence.ts';
import { DAY_MS, type Facts, type MissingPermission } from './facts.ts';
import { counted, type Finding } from './finding.ts';

const PRIVACY = 'x-apple.systempreferences:com.apple.preference.security';

/** Where macOS lets a person grant it. */
const PANES: Record<string, string> = {
  screenRecording: `${PRIVACY}?Privacy_ScreenCapture`,
  accessibility: `${PRIVACY}?Privacy_Accessibility`,
};

/** As the system settings call them. */
const NAMES: Record<string, string> = { screenRecording: 'screen recording' };

export function permissionWords(name: string): string {
  return NAMES[name] ?? name;
}

/** The agent cannot do what it is there for. */
export function permissionLost({ nowMs, missingPermissions, requests }: Facts): Finding[] {
  const failed = requests.filter(
    ({ errorCode, createdAtMs }) => errorCode === 'permission_missing' && createdAtMs > nowMs - DAY_MS,
  );
  return missingPermissions.map(({ name, platform }) => ({
    subject: `permission_lost ${name}`,
    category: 'device',
    severity: 'high',
    title: `The permission for ${permissionWords(name)} is missing`,
    detail: `${counted(failed.length, 'action')} failed without it in the last day. Grant it in the system settings.`,
    metricTypes: ['device_readiness'],
    evidence: evidenceOf(failed),
    ...settingsOf({ name, platform }),
  }));
}

function settingsOf({ name, platform }: MissingPermission): Pick<Finding, 'action'> {
  const target = platform === 'macos' ? PANES[name] : undefined;
  return target === undefined ? {} : { action: { kind: 'open_settings', label: 'Open the system settings', target } };
}
