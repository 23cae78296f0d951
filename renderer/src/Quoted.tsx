import { quotedText } from './prompt/visible-text.ts';
import { VisibleText } from './VisibleText.tsx';

/** A name that a requester chose, in quotes: it is not Handrail's word. */
export function Quoted({ children }: { children: string }) {
  return (
    <>
      “<VisibleText>{quotedText(children)}</VisibleText>”
    </>
  );
}
