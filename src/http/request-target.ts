import { type HttpRefusal, quoted, refuse } from './refuse.ts';

/** Characters of RFC 3986's `path`, with escapes: no backslash, no fragment, nothing outside ASCII. */
const PATH = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;

/** No name in this API holds any of these, so an escaped one is an attempt to get around a later check. */
const NEVER_ESCAPED = /[/\\%\p{Cc}]/u;

/** Refuses paths whose escapes are broken or would turn into something other than a name once decoded. */
export function targetRefusal(target: string): HttpRefusal | undefined {
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
