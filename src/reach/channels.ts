import { execFile } from 'node:child_process';
import { createClient, type Message, type MessageBus } from 'dbus-native';
import type { Channel } from './reach.ts';

const PATIENCE_MS = 10_000;
/** Nothing of the request leaves the machine: a hook may lead to a service of somebody else. */
const WORDS = 'Handrail needs you';

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

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const ANSWER_MS = 2_000;
/** From freedesktop.org, Desktop Notifications 1.2: stays until it is closed; urgent, so that it is shown at once. */
const NEVER_EXPIRES = 0;
const CRITICAL = 2;

type LinuxNotificationsOptions = {
  /** Where the session bus is. */
  busAddress: string;
  /** Opens the dashboard. */
  show(): void;
};

/**
 * Notifications of the desktop over D-Bus. "Show" opens the dashboard; nothing in them can
 * answer. They go when their prompt ends.
 */
export function createLinuxNotifications({ busAddress, show }: LinuxNotificationsOptions): Channel {
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

/** `display notification` is part of StandardAdditions. Texts come as arguments, so none of them can become a script. */
const SCRIPT = [
  'on run argv',
  'display notification (item 1 of argv) with title (item 2 of argv) sound name "Ping"',
  'end run',
];
const NOTIFICATION_PATIENCE_MS = 5_000;

type Run = (program: string, args: readonly string[]) => Promise<void>;

/** Notifications on a Mac without the app. macOS shows them as Script Editor's; they cannot be taken back, and a click does nothing. */
export function createMacNotifications(run: Run = runProgram): Channel {
  return {
    name: 'desktop',
    call: ({ title, body }) =>
      run('/usr/bin/osascript', [...SCRIPT.flatMap((line) => ['-e', line]), '--', body, title]),
    withdraw: async () => undefined,
    close: async () => undefined,
  };
}

function runProgram(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: NOTIFICATION_PATIENCE_MS }, (error, _out, errors) => {
      if (error === null) resolve();
      else reject(new Error(`macOS showed no notification: ${errors.trim() || error.message}`, { cause: error }));
    });
  });
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

/** The person's own way to be called, for example on a phone: a program, or an address that gets a POST. */
type Hook = { command: string } | { address: string };

/** A hook is told that a prompt waits, and nothing else. */
export function createHook(hook: Hook): Channel {
  return {
    name: 'hook',
    call: () => ('command' in hook ? run(hook.command) : post(hook.address)),
    withdraw: async () => undefined,
    close: async () => undefined,
  };
}

function run(command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, [WORDS], { timeout: PATIENCE_MS, killSignal: 'SIGKILL', cwd: '/' }, (error) => {
      if (error === null) resolve();
      else reject(new Error(`The program ${command} failed: ${reasonOf(error)}.`, { cause: error }));
    });
    child.stdin?.end();
  });
}

function reasonOf(error: NonNullable<Parameters<NonNullable<Parameters<typeof execFile>[3]>>[0]>): string {
  if (error.killed) return `it did not end within ${PATIENCE_MS / 1000} s`;
  return typeof error.code === 'number' ? `it ended with code ${error.code}` : `the system answered ${error.code}`;
}

async function post(address: string): Promise<void> {
  const answer = await fetch(address, {
    method: 'POST',
    body: WORDS,
    headers: { 'content-type': 'text/plain' },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw new Error(`${address} could not be reached within ${PATIENCE_MS / 1000} s.`, { cause: error });
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}, and 200 was expected.`);
}
