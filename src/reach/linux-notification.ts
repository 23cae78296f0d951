import { createClient, type Message, type MessageBus } from 'dbus-native';
import type { Channel } from './reach.ts';

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const ANSWER_MS = 2_000;
/** From freedesktop.org, Desktop Notifications 1.2: stays until it is closed; urgent, so that it is shown at once. */
const NEVER_EXPIRES = 0;
const CRITICAL = 2;

type Options = {
  /** Where the session bus is. */
  busAddress: string;
  /** Opens the dashboard. */
  show(): void;
};

/**
 * Notifications of the desktop over D-Bus. "Show" opens the dashboard; nothing in them can
 * answer. They go when their prompt ends.
 */
export function createLinuxNotifications({ busAddress, show }: Options): Channel {
  const shown = new Map<string, Promise<number>>();
  let connection: Promise<MessageBus> | undefined;

  function connected(): Promise<MessageBus> {
    connection ??= connect(busAddress, (signal, id) => noted(signal, id)).then((bus) => {
      bus.connection.on('close', () => {
        connection = undefined;
      });
      return bus;
    });
    connection.catch(() => {
      connection = undefined;
    });
    return connection;
  }

  async function noted(signal: string, notificationId: number): Promise<void> {
    for (const [id, of] of shown) {
      if ((await of.catch(() => undefined)) !== notificationId) continue;
      if (signal === 'ActionInvoked') show();
      if (signal === 'NotificationClosed') shown.delete(id);
    }
  }

  async function notify(title: string, body: string): Promise<number> {
    const bus = await connected();
    const actions = ['default', 'Show', 'show', 'Show'];
    const hints = [['urgency', ['y', CRITICAL]]];
    const content = ['Handrail', 0, '', title, escaped(body), actions, hints, NEVER_EXPIRES];
    const [id] = await invoke(bus, 'Notify', { signature: 'susssasa{sv}i', body: content });
    if (typeof id !== 'number') throw new Error('The notification server of the desktop answered in an unknown form.');
    return id;
  }

  return {
    name: 'desktop',
    async call({ id, title, body }) {
      const notification = notify(title, body);
      shown.set(id, notification);
      await notification.catch((error: unknown) => {
        shown.delete(id);
        throw error;
      });
    },
    async withdraw(id) {
      const notification = shown.get(id);
      shown.delete(id);
      const notificationId = await notification?.catch(() => undefined);
      if (notificationId === undefined) return;
      const bus = await connected().catch(() => undefined);
      if (bus !== undefined)
        await invoke(bus, 'CloseNotification', { signature: 'u', body: [notificationId] }).catch(() => undefined);
    },
    async close() {
      const bus = await connection?.catch(() => undefined);
      bus?.connection.stream.destroy();
    },
  };
}

/** `direct` leaves the greeting to us: the package throws where nobody can catch it when a bus does not greet back. */
async function connect(busAddress: string, noted: (signal: string, id: number) => void): Promise<MessageBus> {
  const bus = createClient({ busAddress, direct: true });
  bus.connection.on('error', () => bus.connection.stream.destroy());
  bus.connection.on('message', ({ interface: from, member = '', body = [] }: Message) => {
    const [id] = body;
    if (from === NAME && typeof id === 'number') noted(member, id);
  });
  try {
    const driver = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
    await invoke(bus, 'Hello', { ...driver, interface: 'org.freedesktop.DBus' });
    const rule = `type='signal',interface='${NAME}',path='${PATH}'`;
    const matching = { ...driver, interface: 'org.freedesktop.DBus', signature: 's', body: [rule] };
    await invoke(bus, 'AddMatch', matching);
    return bus;
  } catch (error) {
    bus.connection.stream.destroy();
    throw error;
  }
}

type Invoked = { destination?: string; path?: string; interface?: string; signature?: string; body?: unknown[] };

function invoke(bus: MessageBus, member: string, call: Invoked): Promise<readonly unknown[]> {
  const message = { destination: NAME, path: PATH, interface: NAME, member, ...call };
  return new Promise((resolve, reject) => {
    bus.invoke(message, { timeout: ANSWER_MS }, (error, ...values: unknown[]) => {
      if (error === null || error === undefined) resolve(values);
      else reject(new Error('The desktop has no notification server that answers.', { cause: error }));
    });
  });
}

/** A server may read the body as markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
