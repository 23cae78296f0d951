import { basename, dirname } from 'node:path';
import type { FileDialog } from '../../contract/file-dialog.ts';
import type { Control, ResolvedWindow } from '../../contract/screen.ts';
import { siteOf } from '../../contract/web-address.ts';
import type { Deed, Done } from './definition.ts';
import { shortened } from './window-words.ts';

/** In an app, or on the site of a page. Nothing where no control was found. */
export function doneIn(control: Control | undefined, did: Deed, what: string, window?: string): { done?: Done } {
  if (control === undefined) return {};
  const { done: told } = done(placeOf(control), did, what);
  return { done: { ...told, ...(window !== undefined && { window: shortened(window) }) } };
}

/** What a press in a dialog for files does with the path that it takes; without one, what it does in the app. */
export function doneWithTaken(
  control: Control | undefined,
  { did, what, path, window }: Pick<Done, 'did' | 'what' | 'window'> & { path: string | undefined },
): { done?: Done } {
  if (path === undefined || control?.dialog === undefined) return doneIn(control, did, what, window);
  return doneWithFile(path, TAKEN[control.dialog.kind]);
}

const TAKEN: Record<FileDialog['kind'], Deed> = { open: 'opened', save: 'saved', unknown: 'opened' };

export function doneInWindow(window: ResolvedWindow | undefined, did: Deed, what: string): { done?: Done } {
  return window === undefined ? {} : done(window.app, did, what);
}

/** The place of a file is its folder. */
export function doneWithFile(path: string, did: Deed): { done: Done } {
  return done(dirname(path), did, basename(path));
}

/** What keeps its folder is renamed, and what changes it is moved. */
export function doneWithMoved(source: string, target: string): { done: Done } {
  const [did, to]: [Deed, string] = isRenamed(source, target)
    ? ['renamed', basename(target)]
    : ['moved', dirname(target)];
  return { done: { ...doneWithFile(source, did).done, to: shortened(to) } };
}

/** Whether a path gets another name in the same folder. Paths of a script or of a person may be relative. */
export function isRenamed(source: string, target: string): boolean {
  return source.includes('/') && dirname(source) === dirname(target);
}

export function done(place: string, did: Deed, what: string): { done: Done } {
  return { done: { place: shortened(place), did, what: shortened(what) } };
}

/** The site of the page that has the control, or its app. A field beside the page is the app's own. */
export function placeOf({ app, url = '', besidePage }: Control): string {
  return (besidePage === true ? undefined : siteOf(url)) ?? app.appName;
}
