import { EventEmitter } from 'node:events';
import type { BrowserWindow, Event, NotificationActionEventParams } from 'electron';
import type { AppEvents, NoticeEvents } from '../../src/electron/doors.ts';
import type { PowerEvents } from '../../src/electron/surface.ts';

/** What electron hands to a listener. */
export function createFakeEvent<Params extends object>(params: Params) {
  const event = {
    ...params,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event satisfies Event<Params>;
}

/** An app that can be reached from outside as the real one is. */
export function createFakeApp() {
  const emitter = new EventEmitter();
  const app = {
    on: (event: string, listener: (...args: never[]) => void) => emitter.on(event, listener as () => void),
    /** A page or program opens a link; answers whether the app took it. */
    link(url: string): boolean {
      const event = createFakeEvent({});
      emitter.emit('open-url', event, url);
      return event.defaultPrevented;
    },
    /** The app is started once more. Chromium and macOS add arguments of their own. */
    secondStart(additionalData: unknown, words: readonly string[] = []): void {
      const added = ['--allow-file-access-from-files', '--enable-avfoundation', '--original-process-start-time=13376'];
      const argv = ['/opt/handrail', ...added, ...words];
      emitter.emit('second-instance', createFakeEvent({}), argv, '/home/ann', additionalData);
    },
    /** The running app is opened again, from the Finder. */
    activate: (): boolean => emitter.emit('activate', createFakeEvent({}), false),
  };
  return app satisfies AppEvents;
}

export function createFakeNotice() {
  const emitter = new EventEmitter();
  const notice = {
    on: (event: string, listener: (...args: never[]) => void) => emitter.on(event, listener as () => void),
    click: (): boolean => emitter.emit('click', createFakeEvent({})),
    action(actionIndex: number): void {
      const params: NotificationActionEventParams = { actionIndex, selectionIndex: -1 };
      emitter.emit('action', createFakeEvent(params), actionIndex, -1);
    },
    reply: (reply: string): boolean => emitter.emit('reply', createFakeEvent({ reply }), reply),
  };
  return notice satisfies NoticeEvents;
}

export type FakeWindow = ReturnType<typeof createFakeWindow>;

/** A window, at first minimized. */
export function createFakeWindow() {
  let isMinimized = true;
  const calls: string[] = [];
  const window = {
    /** What was done to it, in order. */
    calls,
    isMinimized: () => isMinimized,
    restore(): void {
      isMinimized = false;
      calls.push('restore');
    },
    show: (): void => void calls.push('show'),
    focus: (): void => void calls.push('focus'),
  };
  return window satisfies Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>;
}

/** `idleState` is what the system says while nothing has happened yet. */
export function createFakePower(idleState: ReturnType<PowerEvents['getSystemIdleState']> = 'active') {
  const emitter = new EventEmitter();
  const power = {
    on: (event: string, listener: () => void) => emitter.on(event, listener),
    getSystemIdleState: () => idleState,
    fire: (event: Parameters<PowerEvents['on']>[0]): boolean => emitter.emit(event),
  };
  return power satisfies PowerEvents;
}
