import { Fragment, useContext } from 'react';
import { ExactText, HomeContext, withHome } from '../VisibleText.tsx';

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

type AddressPart = { kind: 'text' | 'rest' | 'host'; text: string };

/**
 * The addresses that Handrail itself names: the one that is opened, and those of pages. An address in the name of a button is the page's
 * own words, and its host must not be read as the place. No name has a quotation mark, so none can begin like these.
 */
const ADDRESS = /(?<=(?:^Open|, page) “)https?:\/\/[^\s“”"<>]*/giu;

/** After "@" or a backslash an address may lead to another host than a reader takes it for. Such an address has no part that is its host. */
const PARTS = /^(?<start>https?:\/\/)(?<host>[^/?#\\@]+)(?<path>$|[/?#].*$)/iu;

/** A text cut at its addresses of the web: the host of each, and the rest of each. Joined, the parts are the text. */
export function addressParts(text: string): AddressPart[] {
  const parts: AddressPart[] = [];
  let at = 0;
  for (const { index, 0: address } of text.matchAll(ADDRESS)) {
    const { groups } = PARTS.exec(address) ?? {};
    if (groups === undefined) continue;
    const { start = '', host = '', path = '' } = groups;
    parts.push(
      { kind: 'text', text: text.slice(at, index) },
      { kind: 'rest', text: start },
      { kind: 'host', text: host },
      { kind: 'rest', text: path },
    );
    at = index + address.length;
  }
  return [...parts, { kind: 'text' as const, text: text.slice(at) }].filter((part) => part.text !== '');
}
