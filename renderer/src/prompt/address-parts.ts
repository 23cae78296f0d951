export type AddressPart = { kind: 'text' | 'rest' | 'host'; text: string };

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
