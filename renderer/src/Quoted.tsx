import { VisibleText } from './VisibleText.tsx';

/** A name that a requester chose, in quotes: it is not Handrail's word. */
export function Quoted({ children }: { children: string }) {
  return (
    <>
      “<VisibleText>{children}</VisibleText>”
    </>
  );
}
