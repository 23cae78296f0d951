import { useContext } from 'react';
import { HomeContext, withHome } from './home.ts';
import { outputParts, type TextPart, visibleParts } from './prompt/visible-text.ts';

/** A text from outside. It is never markup, cannot turn the line around, and has nothing invisible in it. Paths in it are short. */
export function VisibleText({ children }: { children: string }) {
  return <ExactText>{withHome(children, useContext(HomeContext))}</ExactText>;
}

/** The same with each path as it was written. */
export function ExactText({ children }: { children: string }) {
  return <Parts parts={visibleParts(children)} />;
}

/** The same for the output of a program or the text of a file, which the daemon has not escaped. */
export function VisibleOutput({ children }: { children: string }) {
  return <Parts parts={outputParts(children)} />;
}

function Parts({ parts }: { parts: readonly TextPart[] }) {
  let position = 0;
  return (
    <bdi className="outside">
      {parts.map(({ kind, text }) => {
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
