import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { giveFocus, isGivenFocus, leaveFocus } from './given-focus.ts';

type Props = { isAlive: boolean; onDeny: () => void };

/**
 * The button takes the focus when its prompt appears. Return and Space press it once the person has moved to it. A press that began
 * before the button lived denies nothing, however late it ends: it may have been meant to bring the window to the front.
 */
export function DenyButton({ isAlive, onDeny }: Props) {
  const hasBegunTooEarly = useRef(false);
  const press = () => {
    hasBegunTooEarly.current = !isAlive;
  };
  const keyDown = (event: KeyboardEvent<HTMLElement>) => {
    ignoreUnmeant(event);
    if (isPressKey(event) && !event.repeat) press();
  };
  const denyOnClick = (event: MouseEvent) => {
    if (event.isTrusted && isAlive && !hasBegunTooEarly.current) onDeny();
  };
  return (
    <button
      type="button"
      ref={giveFocus}
      className="deny"
      aria-disabled={!isAlive}
      aria-keyshortcuts="Escape"
      onBlur={leaveFocus}
      onPointerDown={press}
      onKeyDown={keyDown}
      onKeyUp={ignoreUnmeant}
      onClick={denyOnClick}
    >
      Deny <kbd>esc</kbd>
    </button>
  );
}

/** A key that was held down already when the prompt appeared, or one that scrolls. */
function ignoreUnmeant(event: KeyboardEvent<HTMLElement>): void {
  if (event.repeat || (isPressKey(event) && isGivenFocus(event.currentTarget))) event.preventDefault();
}

function isPressKey({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' ';
}
