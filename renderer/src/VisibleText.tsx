import { createContext, Fragment, useContext } from 'react';
import { outputParts, quotedText, type TextPart, visibleParts } from './visible-text.ts';

/** The words of the search whose results are on the page; they are marked where they stand. */
export const SearchContext = createContext('');

/** The home folder of the person on the daemon's computer; undefined until the daemon has told it. */
export const HomeContext = createContext<string | undefined>(undefined);

/** A text in which the paths under the home folder begin with `~`. A folder with a longer name is another folder. */
export function withHome(text: string, home: string | undefined): string {
  if (home === undefined || home === '/' || !text.includes(home)) return text;
  const spelled = home.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replaceAll(
    new RegExp(`(?<![\\p{L}\\p{N}_/.~+@-])${spelled}(?=/|[^\\p{L}\\p{N}_.~+@-]|\\.?$|\\. )`, 'gu'),
    '~',
  );
}

/** Words that a person searches for, with each path under the home folder as the daemon knows it. */
export function withoutTilde(text: string, home: string | undefined): string {
  return home === undefined ? text : text.replaceAll(/(?<!\S)~(?=\/|\s|$)/gu, () => home);
}

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

/** A name that a requester chose, in quotes: it is not Handrail's word. */
export function Quoted({ children }: { children: string }) {
  return (
    <>
      “<VisibleText>{quotedText(children)}</VisibleText>”
    </>
  );
}

/**
 * A command or a path that takes a new line only after a space or a slash, while a part of it fits in one: after a hyphen a reader
 * could not tell whether the hyphen belongs to it.
 */
export function Unbroken({ children, after }: { children: string; after: ' ' | '/' }) {
  const parts = withHome(children, useContext(HomeContext)).split(after);
  let position = 0;
  return parts.map((part, index) => {
    const key = position;
    position += part.length + 1;
    const isLast = index === parts.length - 1;
    return (
      <span key={key}>
        <span className="unbroken">
          <VisibleText>{after === '/' && !isLast ? `${part}/` : part}</VisibleText>
        </span>
        {after === ' ' && !isLast && ' '}
      </span>
    );
  });
}
