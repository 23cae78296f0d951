import type { FocusEvent } from 'react';

/**
 * A button that the page gave the focus to is told apart from one that the person moved to. Keys that are pressed meanwhile were
 * meant for something else, so they do not press it.
 */
export function giveFocus(button: HTMLElement | null): void {
  if (button === null) return;
  button.dataset.given = '';
  button.focus({ preventScroll: true });
}

/** To be called when the focus leaves such a button. It stays given while only the whole window lost the focus. */
export function leaveFocus({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (document.activeElement !== currentTarget) delete currentTarget.dataset.given;
}

export function isGivenFocus(element: HTMLElement): boolean {
  return element.dataset.given !== undefined;
}
