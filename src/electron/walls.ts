import { mayGoTo, mayHave } from '../shell/own-page.ts';
import type { ShellContents, Surface } from './surface.ts';
import { PARTITION } from './windows.ts';

/**
 * Encloses every page: it opens no window, attaches no other page and goes only to addresses of our own. `base` is the daemon's address; before that is known no page may go anywhere.
 */
export function buildWalls({ app }: Pick<Surface, 'app'>, base: () => string | undefined): void {
  app.on('web-contents-created', (_event, contents) => enclose(contents, base));
}

/** Refuses everything that a page of our session could ask the person or the system for, but writing to the clipboard. To be called when electron is ready. */
export function denyPermissions({ session }: Pick<Surface, 'session'>, base: () => string | undefined): void {
  const ours = session.fromPartition(PARTITION);
  ours.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(mayHave({ permission, address: requestingUrl, isTop: isMainFrame }, base())),
  );
  ours.setPermissionCheckHandler((_contents, permission, _origin, { requestingUrl, isMainFrame }) =>
    mayHave({ permission, address: requestingUrl, isTop: isMainFrame }, base()),
  );
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
