import { visibleParts } from './prompt/visible-text.ts';

/** A text from outside: always text, never markup; it cannot turn the line around, and nothing in it is invisible. */
export function VisibleText({ children }: { children: string }) {
  let position = 0;
  return (
    <bdi className="outside">
      {visibleParts(children).map(({ kind, text }) => {
        const key = position;
        position += text.length;
        if (kind === 'text') return text;
        return (
          <mark key={key} className="escape" title="A character that would show nothing">
            {text}
          </mark>
        );
      })}
    </bdi>
  );
}
