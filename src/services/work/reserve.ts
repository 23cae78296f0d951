/** The part beyond each shared limit that is reserved for requesters the person knows. */
const RESERVED = 1 / 4;

/**
 * How many a requester may find taken before it is refused. Made-up ids can fill a shared limit; the places beyond it are left for
 * known requesters.
 */
export function limitFor(isKnown: boolean, inAll: number): number {
  return isKnown ? inAll + Math.floor(inAll * RESERVED) : inAll;
}
