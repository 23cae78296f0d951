import type { KeyboardEvent, MouseEvent } from 'react';

type Props = { isAlive: boolean; onDeny: () => void };

/** The button takes the focus when its prompt appears. */
export function DenyButton({ isAlive, onDeny }: Props) {
  const denyOnClick = (event: MouseEvent) => {
    if (event.isTrusted && isAlive) onDeny();
  };
  return (
    <button
      type="button"
      ref={takeFocus}
      className="deny"
      aria-disabled={!isAlive}
      aria-keyshortcuts="Escape"
      onKeyDown={ignoreRepeats}
      onClick={denyOnClick}
    >
      Deny <kbd>esc</kbd>
    </button>
  );
}

function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true });
}

/** A key that was held down already when the prompt appeared was meant for something else. */
function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
