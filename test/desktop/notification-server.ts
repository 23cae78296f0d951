import { spawn } from 'node:child_process';
import { until } from './processes.ts';
import type { Rig } from './rig.ts';

/** dunst, the notification server of a rig's desktop. Resolves once it has its name on the bus. */
export async function startNotificationServer(rig: Rig) {
  let printed = '';
  const server = spawn('stdbuf', ['-oL', 'dunst', '-print'], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  // dunstctl would have the bus start a second one.
  const named = ['--dest=org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner'];
  const isThere = () => rig.ask('dbus-send', '--print-reply', ...named, 'string:org.freedesktop.Notifications');
  await until('the notification server is there', async () => (await isThere()).includes('true'));
  return {
    /** The text that it has printed of each notification so far. */
    printed: () => printed,
    stop: () => server.kill(),
  };
}
