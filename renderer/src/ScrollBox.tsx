import type { ReactNode } from 'react';

type Props = { className: string; label: string; children: ReactNode };

/** A part of the page that scrolls by itself: it takes the focus, or it could not be scrolled by keyboard everywhere. */
export function ScrollBox({ className, label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 wants what scrolls to be reachable by keyboard
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
