import type { RefCallback } from 'react';
import { ScrollBox } from '../ScrollBox.tsx';
import { VisibleText } from '../VisibleText.tsx';

/** From here on one look is not enough to see how much there is. */
const LONG = 400;

/** Whether arguments are so long that they may hold more than the rest of the prompt says. */
export function areLong(text: string): boolean {
  return text.length > LONG;
}

/** The exact arguments, every character of them. `end` watches whether they were seen to their end. */
export function Arguments({ text, end }: { text: string; end: RefCallback<HTMLElement> | undefined }) {
  return (
    <>
      <ScrollBox className="arguments" label="Exact arguments">
        <pre dir="ltr">
          <VisibleText>{text}</VisibleText>
        </pre>
        {end !== undefined && <span ref={end} className="edge" />}
      </ScrollBox>
      {areLong(text) && <span className="hint">{text.length.toLocaleString('en')} characters</span>}
    </>
  );
}
