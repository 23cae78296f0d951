import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { type HttpRefusal, quoted, refuse } from './problem-response.ts';

/** Characters of RFC 3986's `path`, with escapes: no backslash, no fragment, nothing outside ASCII. */
const PATH = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;

/** No name in this API holds any of these, so an escaped one is an attempt to get around a later check. */
const NEVER_ESCAPED = /[/\\%\p{Cc}]/u;

type PerimeterRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** How callers may name this server, as raw `Host` values. */
export type OwnAddress = { hosts: readonly string[] };

export const LOOPBACK = '127.0.0.1';

export function ownAddress(port: number): OwnAddress {
  return { hosts: [`${LOOPBACK}:${port}`, `localhost:${port}`] };
}

/**
 * Refuses requests that may come from a web page or from another host, before any other check. All three checks are needed:
 * a page on a rebound name sends neither Origin nor Sec-Fetch-Site, an image (no-cors) sends no Origin, and a WebSocket sends
 * only Origin.
 */
export function perimeterRefusal(request: PerimeterRequest, own: OwnAddress): HttpRefusal | undefined {
  return (
    formRefusal(request) ??
    hostRefusal(request, own) ??
    originRefusal(request) ??
    fetchSiteRefusal(request) ??
    targetRefusal(String(request.url))
  );
}

/** How often a header came. Node joins repeated headers or drops all but the first, so only the raw list tells. */
export function headerCount(rawHeaders: readonly string[], lowerCaseName: string): number {
  return rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === lowerCaseName.length && text.toLowerCase() === lowerCaseName,
  ).length;
}

function formRefusal({ url = '', rawHeaders }: PerimeterRequest): HttpRefusal | undefined {
  const hosts = headerCount(rawHeaders, 'host');
  if (hosts !== 1) return refuse('bad_request', `Exactly one Host header is expected, ${hosts} came.`); // guard H2-1
  if (url.startsWith('/')) return undefined;
  return refuse('bad_request', `A request target that starts with "/" is expected, ${quoted(url)} came.`);
}

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
function namedHost({ host }: Pick<IncomingHttpHeaders, 'host'>): string | undefined {
  return hostOf(host === undefined ? undefined : `http://${host}`);
}

function hostOf(address: string | undefined): string | undefined {
  const host = address === undefined ? '' : (URL.parse(address)?.host ?? '');
  if (host === '') return undefined;
  return host.length > LONGEST ? `…${host.slice(1 - LONGEST)}` : host;
}

/** Compares the raw text: URL parsers turn `127.1`, `2130706433` and `evil@localhost` into loopback. */
function hostRefusal({ headers }: PerimeterRequest, own: OwnAddress): HttpRefusal | undefined {
  const { host = '' } = headers;
  if (own.hosts.includes(host)) return undefined; // guard H1-1
  return refuse('host_not_allowed', `Host ${own.hosts.join(' or ')} is expected, ${quoted(host)} came.`, {
    from: namedHost(headers),
  });
}

/** A page of ours only calls the name it came from: under `localhost` another program may serve a page on the same port. */
function originRefusal({ headers }: PerimeterRequest): HttpRefusal | undefined {
  const { origin, host } = headers;
  if (origin === undefined || origin === `http://${host}`) return undefined; // guard H4-1
  return refuse(
    'origin_not_allowed',
    `Web pages may not call Handrail: no Origin or http://${host} is expected, ${quoted(origin)} came.`,
    { from: pageHost(headers) },
  );
}

function fetchSiteRefusal({ method, headers }: PerimeterRequest): HttpRefusal | undefined {
  const site = headers['sec-fetch-site'];
  // guard H6-1
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return refuse(
      'cross_site_request',
      `Other sites may not call Handrail: Sec-Fetch-Site was ${quoted(String(site))}, same-origin or none is expected.`,
      { from: pageHost(headers), countedAs: isLinkFollowed({ method, headers }) ? 'link_followed' : undefined },
    );
  }
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined; // guard H5-1
  return refuse('cross_site_request', 'Handrail answers no CORS preflight: no page of another origin may call it.', {
    from: pageHost(headers),
  });
}

/**
 * A link in a mail or a chat opens in place of the page it was on, and that page learns nothing. So it counts as a mistake and not
 * as an attempt.
 */
function isLinkFollowed({ method, headers }: Pick<PerimeterRequest, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Refuses paths whose escapes are broken or would turn into something other than a name once decoded. */
function targetRefusal(target: string): HttpRefusal | undefined {
  const [path = ''] = target.split('?', 1);
  const complaint = PATH.test(path) ? segmentsComplaint(path) : 'a character or an escape that is not allowed there';
  if (complaint === undefined) return undefined;
  return refuse('bad_url', `The path ${quoted(path)} has ${complaint}.`);
}

function segmentsComplaint(path: string): string | undefined {
  if (path.includes('//')) return 'an empty segment';
  const escapes = path.includes('%') ? path.split('/').map(decoded) : undefined;
  if (escapes?.some((segment) => segment === undefined || NEVER_ESCAPED.test(segment))) {
    return 'an escape that is not UTF-8 or hides a separator, a percent sign or a control character';
  }
  const segments = escapes ?? path.split('/');
  return segments.some((segment) => segment === '.' || segment === '..') ? 'a dot segment' : undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * The page and the console are served under `127.0.0.1` only. `localhost` also means `[::1]`, where another program may listen on
 * the same port. The page of that program could read a key stored for the origin `http://localhost:<port>`.
 */
export function requirePrintedHost(scope: App): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (isPrintedHost(request)) return done();
    const detail = `The console answers under ${printedAddress(request)} only. "localhost" may lead to another program, so no key may be sent there.`;
    reply.send(refuse('host_not_allowed', detail, { countedAs: 'console_by_localhost' }));
  });
}

/** As `requirePrintedHost`, for addresses that a person opens: the browser is sent to the page's own address. */
export function redirectToPrintedHost(scope: App): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (isPrintedHost(request)) done();
    else reply.redirect(`${printedAddress(request)}/`, 302);
  });
}

function isPrintedHost({ headers }: FastifyRequest): boolean {
  return String(headers.host).startsWith(`${LOOPBACK}:`); // guard U2-1
}

/** The perimeter let two names through; both have the port. */
function printedAddress({ headers }: FastifyRequest): string {
  const port = String(headers.host).split(':').at(-1);
  return `http://${LOOPBACK}:${port}`;
}
