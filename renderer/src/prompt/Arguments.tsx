import type { RefCallback } from 'react';
import { areLong } from '../../../src/contract/first-layer.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { ExactText } from '../VisibleText.tsx';

/** The exact arguments, every character of them. `end` watches whether they were seen to their end. */
export function Arguments({ text, end }: { text: string; end: RefCallback<HTMLElement> | undefined }) {
  return (
    <>
      <ScrollBox className="arguments" label="Exact arguments">
        <pre dir="ltr">
          <ExactText>{text}</ExactText>
        </pre>
        {end !== undefined && <span ref={end} className="edge" />}
      </ScrollBox>
      {areLong(text) && <span className="hint">{text.length.toLocaleString('en')} characters</span>}
    </>
  );
}
