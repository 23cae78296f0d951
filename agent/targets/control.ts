import type { FileDialog } from '../../src/contract/file-dialog.ts';
import { MAX_PATH_LENGTH } from '../../src/contract/files.ts';
import { type Control, MAX_WINDOW_TITLE, MOST_OTHERS, MOST_TEXTS } from '../../src/contract/screen.ts';
import { MOST_DOCUMENTS } from '../../src/contract/web-address.ts';
import type { Sighting } from '../drivers/input.ts';
import { type Home, resolvePath } from '../files/resolve-paths.ts';
import { isOwnPlace } from './own-pages.ts';

const LONGEST_ROLE = 64;
const LONGEST_ADDRESS = 2_000;

/** The control that a driver found, as rules judge it. Where an app tells nothing of the place, the window stands for it. */
export function controlOf(sighting: Sighting): Control {
  const { app, pid, windowId, windowTitle, windowBounds, element, documents, pagesBeside, defaultButton } = sighting;
  const { others = [], texts = [], dialog } = sighting;
  const isPart = sighting.isPart === true || texts.length > MOST_TEXTS;
  const isBesidePage = element?.isEditable === true && !documents.some(isKnown) && pagesBeside.length > 0;
  return {
    app,
    pid,
    windowId,
    windowTitle: cut(windowTitle, MAX_WINDOW_TITLE),
    role: cut(element?.role ?? 'window', LONGEST_ROLE),
    name: cut(element?.name ?? '', MAX_WINDOW_TITLE),
    bounds: element === null ? windowBounds : element.bounds,
    ...(windowBounds !== null && { windowBounds }),
    isPassword: element?.isPassword ?? false,
    isEditable: element?.isEditable ?? false,
    defaultButton: defaultButton && cut(defaultButton, MAX_WINDOW_TITLE),
    ...(others.length > 0 && { others: others.slice(0, MOST_OTHERS).map((name) => cut(name, MAX_WINDOW_TITLE)) }),
    ...(texts.length > 0 && { texts: texts.slice(0, MOST_TEXTS).map((text) => cut(text, MAX_WINDOW_TITLE)) }),
    ...(isBesidePage && { besidePage: true }),
    ...(sighting.isMenuOpen === true && { isMenuOpen: true }),
    ...(isPart && { isPart }),
    dialog,
    ...pagesOf(documents),
    isOwn: isOwnPlace(sighting),
  };
}

function isKnown(address: string): boolean {
  return address !== '';
}

/** Where there are more than can be told, one that is not known stands for the rest. */
export function pagesOf(documents: readonly string[]): Pick<Control, 'url' | 'documents'> {
  if (documents.length === 0) return {};
  const told = documents.length > MOST_DOCUMENTS ? [...documents.slice(0, MOST_DOCUMENTS - 1), ''] : documents;
  const url = documents.findLast(isKnown);
  return { url: url && cut(url, LONGEST_ADDRESS), documents: told.map(shortAddress) };
}

/** Of a long one, the part that has the host. */
function shortAddress(address: string): string {
  const [start = ''] = address.length > LONGEST_ADDRESS ? address.split(/[?#]/u) : [address];
  return start.length > LONGEST_ADDRESS ? '' : start.toWellFormed();
}

/** A cut in the middle of a character leaves half of it, which no canonical form has. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

/** The control that a driver found, with the place to which the path in its dialog leads. A path that cannot be followed is not told. */
export async function controlSeen(sighting: Sighting, home?: Home): Promise<Control> {
  const control = controlOf(sighting);
  if (control.dialog === undefined) return control;
  const { path, ...dialog } = control.dialog;
  if (path === undefined || path.length > MAX_PATH_LENGTH || !path.isWellFormed()) return { ...control, dialog };
  const file = await resolvePath(path, home);
  return 'ok' in file ? { ...control, dialog } : { ...control, dialog: { ...dialog, path, file } };
}

/** The daemon marks places of its own in a file, and a program may write into it meanwhile. Neither makes it another file. */
export function isSameFile(judged: FileDialog | undefined, now: FileDialog | undefined): boolean {
  return JSON.stringify(factsOf(judged)) === JSON.stringify(factsOf(now));
}

function factsOf({ kind, part, path, file }: Partial<FileDialog> = {}) {
  const { device, inode } = file?.identity ?? {};
  return [kind, part, path, file?.realPath, file?.kind, file?.names, device, inode];
}
