import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { ShellContents, ShellWindow } from '../../../src/electron/surface.ts';
import { createFakeEvent } from '../fake-electron.ts';
import { listensOn } from './listens-on.ts';

export type FakeContents = ReturnType<typeof createFakeContents>;

/** The contents of a window: a page that may try to get out. */
export function createFakeContents(id: number) {
  const emitter = new EventEmitter();
  let openHandler: (() => { action: 'deny' | 'allow' }) | undefined;
  const contents = {
    id,
    on: listensOn(emitter),
    setWindowOpenHandler(handler: () => { action: 'deny' }): void {
      openHandler = handler;
    },
  } satisfies ShellContents;
  return {
    contents,
    /** The page tries to go somewhere; answers whether it got there. */
    navigates(event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate', url: string): boolean {
      const details = createFakeEvent({ url });
      emitter.emit(event, details);
      return !details.defaultPrevented;
    },
    /** The page opens a window. Without a handler electron opens it. */
    opensWindow: (): boolean => openHandler?.().action !== 'deny',
    attachesWebview(): boolean {
      const event = createFakeEvent({});
      emitter.emit('will-attach-webview', event);
      return !event.defaultPrevented;
    },
    /** The process of the page has ended. */
    crashes: (): boolean => emitter.emit('render-process-gone', createFakeEvent({}), { reason: 'crashed' }),
  };
}

export type FakeBrowserWindow = ShellWindow & {
  readonly options: BrowserWindowConstructorOptions;
  /** What was done to it, in order. */
  readonly calls: readonly string[];
  readonly url: string;
  readonly bounds: unknown;
  readonly fakeContents: FakeContents;
  readonly hasFocus: boolean;
  /** The person closes it; answers whether it is gone. */
  closedByPerson(): boolean;
};

/** A class of windows as electron has it. `created` is told of each; `taken` when a window takes the focus. */
export function createFakeWindows({ created }: { created(window: FakeBrowserWindow): void }) {
  let nextId = 1;
  return class implements FakeBrowserWindow {
    readonly options: BrowserWindowConstructorOptions;
    readonly calls: string[] = [];
    readonly fakeContents = createFakeContents(nextId++);
    readonly webContents = this.fakeContents.contents;
    readonly #emitter = new EventEmitter();
    readonly on = listensOn(this.#emitter);
    url = '';
    bounds: unknown;
    hasFocus = false;
    #isVisible = false;
    #isDestroyed = false;
    #isMinimized = false;

    constructor(options: BrowserWindowConstructorOptions) {
      this.options = options;
      this.#isVisible = options.show !== false;
      created(this);
    }

    async loadURL(url: string): Promise<void> {
      this.url = url;
    }
    show(): void {
      this.#isVisible = true;
      this.hasFocus = true;
      this.calls.push('show');
    }
    showInactive(): void {
      this.#isVisible = true;
      this.calls.push('showInactive');
    }
    hide(): void {
      this.#isVisible = false;
      this.hasFocus = false;
      this.calls.push('hide');
    }
    focus(): void {
      this.hasFocus = true;
      this.calls.push('focus');
    }
    destroy(): void {
      if (this.#isDestroyed) return;
      this.#isDestroyed = true;
      this.#isVisible = false;
      this.#emitter.emit('closed');
    }
    restore(): void {
      this.#isMinimized = false;
      this.calls.push('restore');
    }
    minimize(): void {
      this.#isMinimized = true;
    }
    setBounds(bounds: unknown): void {
      this.bounds = bounds;
    }
    setAlwaysOnTop(...args: unknown[]): void {
      this.calls.push(`setAlwaysOnTop ${JSON.stringify(args)}`);
    }
    setVisibleOnAllWorkspaces(...args: unknown[]): void {
      this.calls.push(`setVisibleOnAllWorkspaces ${JSON.stringify(args)}`);
    }
    isDestroyed = (): boolean => this.#isDestroyed;
    isVisible = (): boolean => this.#isVisible;
    isMinimized = (): boolean => this.#isMinimized;
    closedByPerson(): boolean {
      const event = createFakeEvent({});
      this.#emitter.emit('close', event);
      if (!event.defaultPrevented) this.destroy();
      return this.#isDestroyed;
    }
  };
}
