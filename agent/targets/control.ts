import { type Control, MAX_WINDOW_TITLE, MOST_OTHERS, MOST_TEXTS } from '../../src/contract/screen.ts';
import type { Sighting } from '../drivers/input.ts';
import { isOwnPlace } from './own-pages.ts';

const LONGEST_ROLE = 64;
const LONGEST_ADDRESS = 2_000;

/** The control that a driver found, as rules judge it. Where an app tells nothing of the place, the window stands for it. */
export function controlOf(sighting: Sighting): Control {
  const { app, pid, windowId, windowTitle, windowBounds, element, pages, pagesBeside, defaultButton } = sighting;
  const { others = [], texts = [], dialog } = sighting;
  const isPart = sighting.isPart === true || texts.length > MOST_TEXTS;
  const [url] = pages;
  const isBesidePage = element?.isEditable === true && pages.length === 0 && pagesBeside.length > 0;
  return {
    app,
    pid,
    windowId,
    windowTitle: cut(windowTitle, MAX_WINDOW_TITLE),
    role: cut(element?.role ?? 'window', LONGEST_ROLE),
    name: cut(element?.name ?? '', MAX_WINDOW_TITLE),
    bounds: element === null ? windowBounds : element.bounds,
    isPassword: element?.isPassword ?? false,
    isEditable: element?.isEditable ?? false,
    ...(defaultButton !== undefined && { defaultButton: cut(defaultButton, MAX_WINDOW_TITLE) }),
    ...(others.length > 0 && { others: others.slice(0, MOST_OTHERS).map((name) => cut(name, MAX_WINDOW_TITLE)) }),
    ...(texts.length > 0 && { texts: texts.slice(0, MOST_TEXTS).map((text) => cut(text, MAX_WINDOW_TITLE)) }),
    ...(isBesidePage && { besidePage: true }),
    ...(sighting.isMenuOpen === true && { isMenuOpen: true }),
    ...(isPart && { isPart }),
    ...(dialog !== undefined && { dialog }),
    ...(url !== undefined && { url: cut(url, LONGEST_ADDRESS) }),
    isOwn: isOwnPlace(sighting),
  };
}

/** A cut in the middle of a character leaves half of it, which no canonical form has. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
