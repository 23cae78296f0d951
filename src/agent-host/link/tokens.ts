import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** One-use secrets that let the built-in agent connect. At most one is live; only its digest is kept. */
export type Tokens = {
  /** A new token of 32 random bytes; the one before it, if unspent, is void. */
  issue(): string;
  isLive(token: string): boolean;
  /** Voids the live token. */
  spend(): void;
};

export function createTokens(): Tokens {
  let live: Buffer | null = null;
  return {
    issue() {
      const token = randomBytes(32).toString('base64url');
      live = digest(token);
      return token;
    },
    // All digests have the same length, so the time of the comparison reveals nothing about the token.
    isLive: (token) => live !== null && timingSafeEqual(live, digest(token)),
    spend() {
      live = null;
    },
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
