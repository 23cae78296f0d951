import { Fragment, useContext } from 'react';
import { HomeContext, withHome } from '../home.ts';
import { ExactText } from '../VisibleText.tsx';

/**
 * A sentence that may name paths. A line of it ends after a space or a slash, and not after a hyphen: a reader could not tell whether
 * the hyphen belongs to the name. The folders of a path stand from left to right in every script.
 */
export function Sentence({ children: whole }: { children: string }) {
  const children = withHome(whole, useContext(HomeContext));
  if (!/[-/]/u.test(children)) return <ExactText>{children}</ExactText>;
  let position = 0;
  return (
    <bdi dir="ltr">
      {piecesOf(children).map((piece) => {
        const key = position;
        position += piece.length;
        return (
          <Fragment key={key}>
            <span className={lineBreaks(piece)}>
              <ExactText>{piece.endsWith('/') ? piece.slice(0, -1) : piece}</ExactText>
              {piece.endsWith('/') && '/'}
            </span>
            {piece.endsWith('/') && <wbr />}
          </Fragment>
        );
      })}
    </bdi>
  );
}

/** A name of more characters may be wider than the narrowest page. */
const NARROW = 26;

function lineBreaks(piece: string): string | undefined {
  if (!piece.includes('-')) return undefined;
  return piece.length > NARROW ? 'broken-anywhere' : 'unbroken-words';
}

/** The words and the parts of paths that have a hyphen, and the texts between them; a text ends after a slash. */
function piecesOf(sentence: string): string[] {
  const pieces: string[] = [];
  for (const part of sentence.split(/(?<=[\s/])|(?=\s)/u)) {
    const last = pieces.at(-1) ?? '-';
    if (part.includes('-') || last.includes('-') || last.endsWith('/')) pieces.push(part);
    else pieces[pieces.length - 1] = last + part;
  }
  return pieces;
}
