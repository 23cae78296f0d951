import type { IncomingHttpHeaders } from 'node:http';

/** Long enough for the names of nearly all hosts. A longer name keeps its end, which names the owner. */
const LONGEST = 100;

/**
 * The host of the web page that sent a request, as its browser names it in `Origin` or `Referer`: in ASCII, with its port, without path
 * or query. `undefined` where the browser hides it or the header is no address.
 */
export function pageHost({ origin, referer }: Pick<IncomingHttpHeaders, 'origin' | 'referer'>): string | undefined {
  return hostOf(origin) ?? hostOf(referer);
}

/** The host that a `Host` header names, in the same form. */
export function namedHost({ host }: Pick<IncomingHttpHeaders, 'host'>): string | undefined {
  return hostOf(host === undefined ? undefined : `http://${host}`);
}

function hostOf(address: string | undefined): string | undefined {
  const host = address === undefined ? '' : (URL.parse(address)?.host ?? '');
  if (host === '') return undefined;
  return host.length > LONGEST ? `…${host.slice(1 - LONGEST)}` : host;
}
