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
