import { execFile } from 'node:child_process';
import { createLinuxNotifications } from './linux-notification.ts';
import { createMacNotifications } from './mac-notification.ts';
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
