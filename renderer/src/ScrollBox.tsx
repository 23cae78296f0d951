import type { ReactNode, RefCallback } from 'react';

type Props = { className: string; label: string; children: ReactNode; ref?: RefCallback<HTMLElement> };

/** A part of the page with its own scroll bar. It takes the focus, because some browsers scroll by keyboard only what has the focus. */
export function ScrollBox({ className, label, children, ref }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1 wants what scrolls to be reachable by keyboard
    <section ref={ref} className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
