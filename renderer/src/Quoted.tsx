import { VisibleText } from './VisibleText.tsx';
import { quotedText } from './visible-text.ts';

/** A name that a requester chose, in quotes: it is not Handrail's word. */
export function Quoted({ children }: { children: string }) {
  return (
    <>
      “<VisibleText>{quotedText(children)}</VisibleText>”
    </>
  );
}
