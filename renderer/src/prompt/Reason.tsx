import { ExactText } from '../VisibleText.tsx';

/** The reason that the requester gave. Handrail cannot check it. */
export function Reason({ children }: { children: string }) {
  return (
    <>
      <blockquote>
        <ExactText>{children}</ExactText>
      </blockquote>
      <span className="hint">Requester's words, not verified</span>
    </>
  );
}
