import type { RefCallback } from 'react';
import { ScrollBox } from '../ScrollBox.tsx';
import { VisibleText } from '../VisibleText.tsx';

/** From here on one look is not enough to see how much there is. */
const LONG = 400;

/** The exact arguments, every character of them; one line where there are none. `end` watches whether they were seen to their end. */
export function Arguments({ text, end }: { text: string; end: RefCallback<HTMLElement> }) {
  if (text === '{}') {
    return (
      <p className="no-arguments">
        none: <code>{'{}'}</code>
        <span ref={end} className="edge" />
      </p>
    );
  }
  return (
    <>
      <ScrollBox className="arguments" label="Exact arguments">
        <pre dir="ltr">
          <VisibleText>{text}</VisibleText>
        </pre>
        <span ref={end} className="edge" />
      </ScrollBox>
      {text.length > LONG && <span className="hint">{text.length.toLocaleString('en')} characters</span>}
    </>
  );
}
