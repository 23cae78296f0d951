import { createContext, Fragment, useContext } from 'react';
import { HomeContext, withHome } from './home.ts';
import { outputParts, type TextPart, visibleParts } from './visible-text.ts';

/** The words of the search whose results are on the page; they are marked where they stand. */
export const SearchContext = createContext('');

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
  const search = useContext(SearchContext);
  let position = 0;
  return (
    <bdi className="outside">
      {parts.map(({ kind, text }) => {
        const key = position;
        position += text.length;
        if (kind === 'text') return <Fragment key={key}>{withHits(text, search)}</Fragment>;
        return (
          <mark key={key} className="escape" title="A character that would show nothing">
            {text}
          </mark>
        );
      })}
    </bdi>
  );
}

function withHits(text: string, search: string) {
  const words = search.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return text;
  const spelled = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  let end = 0;
  // `split` puts each hit between the texts around it.
  return text.split(new RegExp(`(${spelled.join('|')})`, 'giu')).map((piece, index) => {
    end += piece.length;
    if (index % 2 === 0) return piece;
    return (
      <mark key={end} className="hit">
        {piece}
      </mark>
    );
  });
}
