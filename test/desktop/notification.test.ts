import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLinuxNotifications } from '../../src/reach/linux-notification.ts';
import type { Channel } from '../../src/reach/reach.ts';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
let channel: Channel;
let shows = 0;
let server: ChildProcess;
/** What dunst prints of each notification. */
let printed = '';

beforeAll(async () => {
  rig = await startRig();
  server = spawn('stdbuf', ['-oL', 'dunst', '-print'], {
    env: { ...process.env, ...rig.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  // dunstctl would have the bus start a second one.
  const named = ['--dest=org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner'];
  const isThere = () => rig.ask('dbus-send', '--print-reply', ...named, 'string:org.freedesktop.Notifications');
  await rig.until('the notification server is there', async () => (await isThere()).includes('true'));
  channel = createLinuxNotifications({ busAddress: rig.env.DBUS_SESSION_BUS_ADDRESS ?? '', show: () => shows++ });
});

afterAll(async () => {
  await channel.close();
  server.kill();
  await rig.close();
});

/** What dunst says of itself, as its own program asks it. */
function dunst(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('dunstctl', args, { env: { ...process.env, ...rig.env } }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
}

const call = {
  id: 'a',
  title: 'Handrail needs your answer',
  body: 'Open “<b>notes</b> & more”. medium risk, asked by “ann”',
};

test('a desktop whose bus is not there is told as such', async () => {
  const none = createLinuxNotifications({ busAddress: 'unix:path=/nope/bus', show: () => undefined });
  await expect(none.call(call)).rejects.toThrow('has no notification server');
  await none.withdraw(call.id);
  await none.close();
});

test('a notification server shows the call as text, "Show" opens the dashboard, and the end of the prompt closes it', async () => {
  const isShown = (count: number) => async () => (await dunst('count', 'displayed')).trim() === String(count);
  await channel.call(call);
  await rig.until('the notification is shown', isShown(1));
  await rig.until('dunst prints it', async () => printed.includes('Handrail needs your answer'));
  expect(printed).toContain('&lt;b&gt;notes&lt;/b&gt; &amp; more');
  await dunst('action');
  await rig.until('"Show" opened the dashboard', async () => shows === 1);
  await channel.call({ ...call, id: 'b', title: 'The second' });
  await rig.until('the second notification is shown', async () => printed.includes('The second'));
  await channel.withdraw('b');
  await channel.withdraw('a');
  await rig.until('both are gone', isShown(0));
});
