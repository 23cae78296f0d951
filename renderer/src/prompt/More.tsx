import { type ReactNode, useEffect, useRef } from 'react';

type Props = { isOpen: boolean; onToggle: () => void; children: ReactNode };

/** The second layer of a prompt: everything else that is known, folded until the person opens it by the button or the key M. */
export function More({ isOpen, onToggle, children }: Props) {
  const toggle = useRef(onToggle);
  useEffect(() => {
    toggle.current = onToggle;
  });
  useEffect(() => onKey(() => toggle.current()), []);
  return (
    <div className="more">
      <button
        type="button"
        className="quiet more-button"
        aria-expanded={isOpen}
        aria-keyshortcuts="M"
        onClick={onToggle}
      >
        {isOpen ? 'Less' : 'More'} <kbd>M</kbd>
      </button>
      {isOpen && children}
    </div>
  );
}

function onKey(press: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, repeat, isTrusted, target } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input[type="text"], textarea, select');
    if (key.toLowerCase() !== 'm' || ctrlKey || metaKey || altKey || repeat || !isTrusted || isTyping) return;
    press();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
