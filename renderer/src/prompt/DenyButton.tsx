import type { KeyboardEvent, MouseEvent } from 'react';
import { giveFocus, isGivenFocus, leaveFocus } from './given-focus.ts';

type Props = { isAlive: boolean; onDeny: () => void };

/** The button takes the focus when its prompt appears. Return and Space press it once the person has moved to it. */
export function DenyButton({ isAlive, onDeny }: Props) {
  const denyOnClick = (event: MouseEvent) => {
    if (event.isTrusted && isAlive) onDeny();
  };
  return (
    <button
      type="button"
      ref={giveFocus}
      className="deny"
      aria-disabled={!isAlive}
      aria-keyshortcuts="Escape"
      onBlur={leaveFocus}
      onKeyDown={ignoreUnmeant}
      onKeyUp={ignoreUnmeant}
      onClick={denyOnClick}
    >
      Deny <kbd>esc</kbd>
    </button>
  );
}

/** A key that was held down already when the prompt appeared, or one that scrolls. */
function ignoreUnmeant(event: KeyboardEvent<HTMLElement>): void {
  const isPress = event.key === 'Enter' || event.key === ' ';
  if (event.repeat || (isPress && isGivenFocus(event.currentTarget))) event.preventDefault();
}
