import { Fragment, useContext } from 'react';
import { HomeContext, withHome } from '../home.ts';
import { ExactText } from '../VisibleText.tsx';
import { addressParts } from './address-parts.ts';

/**
 * A sentence that may name paths and addresses. A line of it ends after a space or a slash, and not after a hyphen: a reader could not
 * tell whether the hyphen belongs to the name. The folders of a path stand from left to right in every script. The host of an address
 * stands out from the rest of it.
 */
export function Sentence({ children: whole }: { children: string }) {
  const children = withHome(whole, useContext(HomeContext));
  if (!/[-/]/u.test(children)) return <ExactText>{children}</ExactText>;
  return (
    <bdi dir="ltr">
      {placed(addressParts(children)).map(({ at, kind, text }) =>
        kind === 'text' ? (
          <Pieces key={at} text={text} />
        ) : (
          <span key={at} className={`address-${kind}`}>
            <Pieces text={text} />
          </span>
        ),
      )}
    </bdi>
  );
}

function Pieces({ text }: { text: string }) {
  const pieces = placed(piecesOf(text).map((piece) => ({ text: piece })));
  return pieces.map(({ at, text: piece }) => (
    <Fragment key={at}>
      <span className={lineBreaks(piece)}>
        <ExactText>{piece.endsWith('/') ? piece.slice(0, -1) : piece}</ExactText>
        {piece.endsWith('/') && '/'}
      </span>
      {piece.endsWith('/') && !piece.endsWith('~/') && <wbr />}
    </Fragment>
  ));
}

/** Each part with its place in the whole, which is its key. */
function placed<Part extends { text: string }>(parts: readonly Part[]): (Part & { at: number })[] {
  let at = 0;
  return parts.map((part) => {
    at += part.text.length;
    return { ...part, at };
  });
}

/** A name of more characters may be wider than the narrowest page. */
const NARROW = 26;

function lineBreaks(piece: string): string | undefined {
  if (!standsApart(piece)) return undefined;
  return piece.length > NARROW ? 'broken-anywhere' : 'unbroken-words';
}

/** A line ends neither at a hyphen of it nor between the home folder and the next one. */
function standsApart(part: string): boolean {
  return part.includes('-') || part.startsWith('~/');
}

/** The words and the parts of paths that stand apart, and the texts between them; a text ends after a slash. */
function piecesOf(sentence: string): string[] {
  const pieces: string[] = [];
  for (const part of sentence.split(/(?<=\s|(?<!~)\/)|(?=\s)/u)) {
    const last = pieces.at(-1) ?? '-';
    if (standsApart(part) || standsApart(last) || last.endsWith('/')) pieces.push(part);
    else pieces[pieces.length - 1] = last + part;
  }
  return pieces;
}
