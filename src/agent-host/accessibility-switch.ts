import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 10_000;

/** The switch that apps look at as they start: those built on Chromium, Electron and Qt describe their windows only while it is on. */
const SWITCH = ['string:org.a11y.Status', 'string:IsEnabled'];

/** Switches accessibility on in the session of this environment. The first question to org.a11y.Bus starts the accessibility bus. Rejects where it does not answer. */
export async function switchAccessibilityOn(environment: NodeJS.ProcessEnv): Promise<void> {
  await askSwitch('Set', [...SWITCH, 'variant:boolean:true'], environment);
}

/** `unknown` where nothing answers. */
export async function readAccessibilitySwitch(environment: NodeJS.ProcessEnv): Promise<'on' | 'off' | 'unknown'> {
  try {
    const [, value] = /variant\s+boolean (true|false)/.exec(await askSwitch('Get', SWITCH, environment)) ?? [];
    if (value === undefined) return 'unknown';
    return value === 'true' ? 'on' : 'off';
  } catch {
    // No session bus, no accessibility bus, or no dbus-send: the caller says that it is not known.
    return 'unknown';
  }
}

async function askSwitch(member: 'Get' | 'Set', value: readonly string[], environment: NodeJS.ProcessEnv) {
  const question = ['--session', '--print-reply', '--dest=org.a11y.Bus', '/org/a11y/bus'];
  const call = [...question, `org.freedesktop.DBus.Properties.${member}`, ...value];
  const { stdout } = await promisify(execFile)('dbus-send', call, { env: environment, timeout: TIMEOUT_MS });
  return stdout;
}
