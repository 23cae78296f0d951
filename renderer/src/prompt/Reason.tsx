import { VisibleText } from '../VisibleText.tsx';

/** The caller's own words, for what they are worth. */
export function Reason({ userId, children }: { userId: string; children: string }) {
  return (
    <>
      <blockquote>
        <VisibleText>{children}</VisibleText>
      </blockquote>
      <span className="hint">
        <VisibleText>{userId}</VisibleText> claims this; nothing checks it
      </span>
    </>
  );
}
