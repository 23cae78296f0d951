import { mayGoTo } from '../shell/own-page.ts';
import type { ShellContents, Surface } from './surface.ts';
import { PARTITION } from './windows.ts';

/**
 * Encloses every page: it opens no window, attaches no other page and goes only to addresses of our own. `base` is the daemon's address; before that is known no page may go anywhere.
 */
export function buildWalls({ app }: Pick<Surface, 'app'>, base: () => string | undefined): void {
  app.on('web-contents-created', (_event, contents) => enclose(contents, base));
}

/** Refuses what a page of our session could ask the person or the system for. To be called when electron is ready. */
export function denyPermissions({ session }: Pick<Surface, 'session'>): void {
  const ours = session.fromPartition(PARTITION);
  ours.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  ours.setPermissionCheckHandler(() => false);
  ours.setDevicePermissionHandler(() => false);
  ours.on('will-download', (event) => event.preventDefault());
}

function enclose(contents: ShellContents, base: () => string | undefined): void {
  const stay = (details: { readonly url: string; preventDefault(): void }) => {
    if (!mayGoTo(details.url, base())) details.preventDefault();
  };
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
