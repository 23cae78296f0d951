import { createHook, type Hook } from './hook.ts';
import { createLinuxNotifications } from './linux-notification.ts';
import { createMacNotifications } from './mac-notification.ts';
import type { Channel } from './reach.ts';

type Options = {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  /** Opens the dashboard. */
  show(): void;
  hook?: Hook | undefined;
  /** Whether a desktop shell of ours shows notifications already. */
  isShell: boolean;
};

/** The ways to call this person: notifications of the desktop that the daemon was started on, and the person's own hook. */
export function channelsOf(options: Options): Channel[] {
  const desktop = options.isShell ? undefined : desktopChannel(options);
  return [
    ...(desktop === undefined ? [] : [desktop]),
    ...(options.hook === undefined ? [] : [createHook(options.hook)]),
  ];
}

function desktopChannel({ platform, environment, show }: Options): Channel | undefined {
  if (platform === 'darwin') return createMacNotifications();
  const busAddress = sessionBusOf(environment);
  const hasDesktop = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
  if (platform !== 'linux' || !hasDesktop || busAddress === undefined) return undefined;
  return createLinuxNotifications({ busAddress, show });
}

/** As the environment says, or where a systemd session keeps it. */
function sessionBusOf({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder }: NodeJS.ProcessEnv) {
  return address || (folder ? `unix:path=${folder}/bus` : undefined);
}
