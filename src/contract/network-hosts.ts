/** A host that a script may reach, in lower case, with its ports. */
export type NetworkHost = { host: string; ports: readonly number[] };

/** Ports of plain and of encrypted HTTP, for a host that is named without a port. */
const USUAL_PORTS = [80, 443];
const HIGHEST_PORT = 65_535;

/** A label of a host name in ASCII; names in other scripts are written as `xn--…`, so that two of them never look alike. */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAMED = new RegExp(`^(${LABEL}(?:\\.${LABEL})+)(?::(\\d{1,5}))?$`, 'iu');
/** The resolver takes a name whose last label is a number for an address, also `127.1` and `0x7f.1`. */
const ENDS_IN_NUMBER = /\.(?:\d+|0x[0-9a-f]*)$/iu;

/**
 * Reads `host` or `host:port`. Undefined for anything else: an address, a name of one label such as `localhost`, a wildcard, a path. Daemon and
 * agent use the same rule, so that the host the person reads is the host that is reached.
 */
export function networkHost(text: string): NetworkHost | undefined {
  const [, host, port] = NAMED.exec(text) ?? [];
  if (host === undefined || ENDS_IN_NUMBER.test(host)) return undefined;
  if (port === undefined) return { host: host.toLowerCase(), ports: USUAL_PORTS };
  const number = Number(port);
  return number >= 1 && number <= HIGHEST_PORT ? { host: host.toLowerCase(), ports: [number] } : undefined;
}
