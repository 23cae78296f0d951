/** An address that OpenUrl opens: `url` goes to the browser, `shown` to the person. */
export type WebAddress = { url: string; shown: string; scheme: 'http' | 'https' | 'mailto' };

/** The longest address; browsers take hardly more. */
export const MAX_ADDRESS = 2_000;

/**
 * Reads an address of the web or of mail. Answers a sentence for anything else. `url` is in ASCII. In `shown` the host keeps its own letters
 * only where all of it is of one script; where scripts mix, it is in punycode, so that it cannot pass for another one.
 */
export function webAddress(text: string): WebAddress | { fault: string } {
  if (text.length > MAX_ADDRESS)
    return { fault: `Expected an address of at most ${MAX_ADDRESS} characters, got ${text.length}.` };
  if (HIDDEN.test(text))
    return { fault: 'Expected an address without spaces, control characters and characters that are not shown.' };
  const scheme = SCHEMES.find((each) => text.toLowerCase().startsWith(each.start))?.name;
  const url = scheme === undefined ? null : URL.parse(text);
  if (scheme === undefined || url === null)
    return { fault: 'Expected an address that begins with https://, http:// or mailto:.' };
  if (scheme === 'mailto') return { url: url.href, shown: url.href, scheme };
  if (url.username !== '' || url.password !== '' || url.host === '')
    return { fault: 'Expected a host after the slashes, without a user name or password.' };
  if (url.href.length > MAX_ADDRESS)
    return { fault: `Expected an address of at most ${MAX_ADDRESS} characters, got ${url.href.length}.` };
  return { url: url.href, shown: shownAddress(text, url), scheme };
}

const SCHEMES = [
  { name: 'https', start: 'https://' },
  { name: 'http', start: 'http://' },
  { name: 'mailto', start: 'mailto:' },
] as const;

/** The browser takes a backslash for a slash, so the host that a person reads would be another one. */
const HIDDEN = /[\s\\\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The host as it was written, if it is a name of one script that leads to the same host. */
function shownAddress(text: string, url: URL): string {
  const [, written = ''] = /^https?:\/\/([^/?#:]*)/iu.exec(text) ?? [];
  const host = written.toLowerCase();
  const isSame = URL.parse(`http://${host}`)?.hostname === url.hostname;
  if (!/[^\p{ASCII}]/u.test(host) || !isSame || host !== host.normalize('NFKC') || !isOfOneScript(host))
    return url.href;
  return url.href.replace(url.hostname, host);
}

/** The whole name with its ending: "аррӏе.com" in Cyrillic letters mixes two scripts, "пример.рф" does not. */
function isOfOneScript(host: string): boolean {
  const letters = host.match(/\p{L}/gu) ?? [];
  return SCRIPTS.some((script) => letters.every((letter) => script.test(letter)));
}

const SCRIPTS = [
  /^\p{Script=Latin}$/u,
  /^\p{Script=Cyrillic}$/u,
  /^\p{Script=Greek}$/u,
  /^\p{Script=Arabic}$/u,
  /^\p{Script=Hebrew}$/u,
  /^\p{Script=Devanagari}$/u,
  /^\p{Script=Thai}$/u,
  /^\p{Script=Hangul}$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u,
];

/** The most hosts of one access. A person reads all of them. */
export const MOST_SITES = 10;

/** The most documents around one control that the agent tells. */
export const MOST_DOCUMENTS = 16;

/** The host, with its port where that is not the usual one, of an address of the web: "example.org", "127.0.0.1:8765". */
export function siteOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.host !== ''
    ? url.host
    : undefined;
}

/** Why a text names no site, if so. */
export function siteObjection(text: string): string | undefined {
  const site = siteOf(`https://${text}`);
  if (site !== undefined && site === text && !text.includes('*')) return undefined;
  const meant = siteOf(text) ?? site?.replaceAll('*.', '') ?? 'mail.example.org';
  return `expected a host alone, such as "${meant}"`;
}

type AppNames = { appName: string; bundleId?: string; alsoKnownAs: readonly string[]; isBrowser?: true };

/** Whether an app shows sites of all kinds: by its desktop's word, or by one of its names. */
export function isBrowser({ appName, bundleId = '', alsoKnownAs, isBrowser: isTold }: AppNames): boolean {
  return isTold === true || [appName, bundleId, ...alsoKnownAs].some((name) => hasNameOfBrowser(name));
}

/** A name too many costs a question for a site; a missed one gives an access to all sites. */
export function hasNameOfBrowser(text: string): boolean {
  return BROWSERS.test(text);
}

const BROWSERS =
  /(?<![a-z])chrom(?:e|ium)|firefox|icecat|iceweasel|safari|\bedge\b|msedge|brave|\bopera\b|vivaldi|\barc\b|thebrowser|epiphany|browser$|web.?browser|zen.browser|librewolf|waterfox|floorp|pale.?moon|seamonkey|falkon|konqueror|midori|\bsurf\b|nyxt|luakit|vimb|dillo|netsurf|\borion\b|duckduckgo|perplexity/iu;
