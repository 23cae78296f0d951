import { EventEmitter } from 'node:events';
import type { App, LoginItemSettings } from 'electron';
import type { ShellApp, ShellContents } from '../../../src/electron/surface.ts';
import { createFakeEvent } from '../fake-electron.ts';
import { listensOn } from './listens-on.ts';

export type FakeAppOptions = {
  /** Whether another app of ours has the lock. */
  isLockTaken?: boolean;
  version?: string;
  wasOpenedAtLogin?: boolean;
  /** Electron is not ready before this. */
  readyAfter?: Promise<void>;
};

/** An app as electron has it: it notes what was asked of it, in order, and can be reached from outside. */
export function createFakeApp({
  isLockTaken = false,
  version = '1.0.0',
  wasOpenedAtLogin = false,
  readyAfter = Promise.resolve(),
}: FakeAppOptions = {}) {
  const emitter = new EventEmitter();
  const calls: string[] = [];
  const paths = new Map<string, string>([['appData', '/nowhere']]);
  let handedOver: unknown;
  let exitCode: number | undefined;
  const exited = Promise.withResolvers<number>();
  const login: LoginItemSettings = {
    openAtLogin: false,
    wasOpenedAtLogin,
    status: 'not-registered',
    executableWillLaunchAtLogin: false,
    launchItems: [],
  };

  function exit(code = 0): void {
    if (exitCode !== undefined) return;
    exitCode = code;
    calls.push(`exit ${code}`);
    exited.resolve(code);
  }

  const app = {
    on: listensOn(emitter),
    setPath(name: string, path: string): void {
      paths.set(name, path);
      calls.push(`setPath ${name}`);
    },
    getPath: (name: string) => paths.get(name) ?? '',
    getVersion: () => version,
    requestSingleInstanceLock(data?: Record<string, unknown>): boolean {
      calls.push('requestSingleInstanceLock');
      handedOver = data;
      return !isLockTaken;
    },
    setActivationPolicy: (policy: string) => void calls.push(`setActivationPolicy ${policy}`),
    isPackaged: true,
    focus: ({ steal = false }: { steal?: boolean } = {}) => void calls.push(`focus ${steal ? 'by force' : ''}`.trim()),
    enableSandbox: () => void calls.push('enableSandbox'),
    async whenReady(): Promise<void> {
      calls.push('whenReady');
      await readyAfter;
    },
    /** As in electron, whoever listens may hold it up; otherwise the app ends. */
    quit(): void {
      calls.push('quit');
      const event = createFakeEvent({});
      emitter.emit('before-quit', event);
      if (!event.defaultPrevented) exit(0);
    },
    exit,
    relaunch: () => void calls.push('relaunch'),
    getLoginItemSettings: () => ({ ...login }),
    /** The system may want the person's approval first: see `login`. */
    setLoginItemSettings({ openAtLogin = false }: { openAtLogin?: boolean }): void {
      login.openAtLogin = openAtLogin;
      if (!openAtLogin) login.status = 'not-registered';
      else if (login.status === 'not-registered') login.status = 'enabled';
    },
  } satisfies ShellApp & Pick<App, 'setPath' | 'getPath' | 'getVersion' | 'whenReady' | 'quit' | 'exit'>;

  return {
    app,
    calls,
    paths,
    login,
    /** What a start hands to the app that has the lock. */
    handedOver: () => handedOver,
    exitCode: () => exitCode,
    exited: exited.promise,
    contentsCreated: (contents: ShellContents) => emitter.emit('web-contents-created', createFakeEvent({}), contents),
    /** A page or program opens a link; answers whether the app took it. */
    link(url: string): boolean {
      const event = createFakeEvent({});
      emitter.emit('open-url', event, url);
      return event.defaultPrevented;
    },
    /** The app is started once more; electron hands over what that start gave its lock. */
    secondStart: (additionalData: unknown) =>
      emitter.emit('second-instance', createFakeEvent({}), ['/opt/handrail'], '/', additionalData),
    activate: () => emitter.emit('activate', createFakeEvent({}), false),
    lastWindowClosed: () => emitter.listenerCount('window-all-closed') > 0 || exit(0),
  };
}
