import { webAddress } from '../contract/web-address.ts';
import { criticalLabel } from './critical-controls.ts';

/** The longest address that opens within access: the person does not read it, and a long one can carry more data away. */
export const LONGEST_PLAIN_ADDRESS = 200;

/**
 * Whether an address may be opened without a question on a site that the person gave access to: it is short, and its words name nothing that
 * sends, pays, deletes, allows, signs in or shares, and no secret, since a page may do so as soon as it is opened.
 */
export function isPlainAddress(text: string): boolean {
  const address = webAddress(text);
  if ('fault' in address || address.scheme === 'mailto' || address.url.length > LONGEST_PLAIN_ADDRESS) return false;
  const { pathname, search, hash } = new URL(address.url);
  return isHarmless(`${pathname}${search}${hash}`);
}

function isHarmless(rest: string): boolean {
  const text = decodedOnce(rest);
  // An address that is still encoded hides its words.
  if (text === undefined || text.includes('%') || NAMES_A_SECRET.test(text)) return false;
  // Some words are critical only alone, so each part is read as a label too.
  return [text, ...text.split(/[/?&=#;]/u)].every((words) => criticalLabel(words) === undefined);
}

/** A value of such a name signs in, whatever it looks like. */
const NAMES_A_SECRET =
  /(?:^|[?&#;/])[\w.-]{0,40}(?:token|passw|passcode|pwd|secret|api_?key|auth(?!or)|session|otp|credential)[\w.-]{0,40}=/iu;

function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
