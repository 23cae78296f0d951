import { useEffect, useRef } from 'react';
import type { Notices } from '../notices.ts';

type Props = { userId: string; value: string; notices: Notices; onKept: () => void };

/** A key that was just made: the only time it can be read. */
export function FreshKey({ userId, value, notices, onKept }: Props) {
  const box = useRef<HTMLElement>(null);
  // Newer browsers answer with a promise, which an effect must not return.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => notices.done(`The key of ${userId} is on the clipboard.`),
      () => notices.problem('The browser did not let the page copy. Select the key and copy it yourself.'),
    );
  return (
    <section ref={box} className="fresh-key" aria-label={`The new key of ${userId}`}>
      <p>This key will not be shown again. Keep it now, and send it with every call under this name:</p>
      <code className="key">
        Authorization: Bearer <span className="key-value">{value}</span>
      </code>
      <div className="person-buttons">
        <button type="button" onClick={copy} aria-label={`Copy the key of ${userId}`}>
          Copy the key
        </button>
        <button type="button" onClick={onKept} aria-label={`I have kept it: the key of ${userId}`}>
          I have kept it
        </button>
      </div>
    </section>
  );
}
