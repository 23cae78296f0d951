import { execFile } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { createLinuxNotifications } from '../../src/reach/channels.ts';
import { startNotificationServer } from './notification-server.ts';
import { shareRig } from './share-rig.ts';

const rig = await shareRig();
const server = await startNotificationServer(rig);
let shows = 0;
const busAddress = rig.env.DBUS_SESSION_BUS_ADDRESS ?? '';
const channel = createLinuxNotifications({ busAddress, show: () => shows++ });
afterAll(async () => {
  await channel.close();
  server.stop();
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
  await rig.until('dunst prints it', async () => server.printed().includes('Handrail needs your answer'));
  expect(server.printed()).toContain('&lt;b&gt;notes&lt;/b&gt; &amp; more');
  await dunst('action');
  await rig.until('"Show" opened the dashboard', async () => shows === 1);
  await channel.call({ ...call, id: 'b', title: 'The second' });
  await rig.until('the second notification is shown', async () => server.printed().includes('The second'));
  await channel.withdraw('b');
  await channel.withdraw('a');
  await rig.until('both are gone', isShown(0));
});
