import { hash, randomInt } from 'node:crypto';
import { readSignInCode, SIGN_IN_ALPHABET, SIGN_IN_CODE_LENGTH } from '../../contract/sign-in-code.ts';
import type { Clock } from '../context.ts';

const CODE_LIFE_MS = 10 * 60_000;
const WRONG_CODES_A_MINUTE = 5;
const MADE_CODES_REMEMBERED = 100;
/**
 * The right code is accepted however many wrong ones come, so wrong ones are counted for as long as a code lives. 27^8 codes
 * exist: the chance that a program guesses one before it ends is below 2 in a million.
 */
const WRONG_CODES_PER_CODE = 500_000;

/** A code, and the codes before it: each of them opened the session in which the next one was made. */
export type Lineage = readonly string[];

type Code = { digest: string; expiresAtMs: number; lineage: Lineage };

/** `isFirst`: no other wrong code has come since the latest one was made, so it may be a typing error. */
export type SpentCode =
  | { kind: 'good'; lineage: Lineage }
  | { kind: 'spent' | 'wrong'; digest: string; isLimited: boolean; isFirst: boolean };

/** The one sign-in code that is good at a time. Codes are kept as digests, in memory only. */
export function createSignInCodes(clock: Clock) {
  let current: Code | undefined;
  let made: string[] = [];
  let wrongAtMs: number[] = [];
  let wrongCount = 0;

  function isLimited(): boolean {
    wrongAtMs = wrongAtMs.filter((atMs) => clock.nowMs() - atMs < 60_000);
    if (wrongAtMs.length >= WRONG_CODES_A_MINUTE) return true;
    wrongAtMs.push(clock.nowMs());
    return false;
  }

  return {
    /** A fresh code, valid for ten minutes; the one before it ends. `madeIn` is the lineage of the session that asked for it. */
    create(madeIn: Lineage = []): string {
      const code = newCode();
      const digest = digestOf(code);
      made = [...made, digest].slice(-MADE_CODES_REMEMBERED);
      current = { digest, expiresAtMs: clock.nowMs() + CODE_LIFE_MS, lineage: [...madeIn, digest] };
      wrongCount = 0; // guard E2-26
      return code;
    },
    /** Compares with the good code first, so that nobody can keep the person out by sending wrong ones. */
    spend(typed: string): SpentCode {
      const digest = digestOf(readSignInCode(typed));
      const found = current;
      if (found?.digest === digest) {
        current = undefined; // guard A8-1
        if (clock.nowMs() < found.expiresAtMs) return { kind: 'good', lineage: found.lineage }; // guard A8-2
      }
      wrongCount += 1;
      if (wrongCount >= WRONG_CODES_PER_CODE) current = undefined;
      const kind = made.includes(digest) ? 'spent' : 'wrong';
      return { kind, digest, isLimited: isLimited(), isFirst: wrongCount === 1 };
    },
    /** Whether a code is good now. */
    isGood: (): boolean => current !== undefined && clock.nowMs() < current.expiresAtMs,
    /** Ends the unused code. */
    end(): void {
      current = undefined;
    },
    /** Ends the unused code when it was made in a session that a code of this digest led to. */
    endMadeAfter(digest: string): void {
      if (current?.lineage.slice(0, -1).includes(digest)) current = undefined;
    },
  };
}

function newCode(): string {
  const characters = Array.from(
    { length: SIGN_IN_CODE_LENGTH },
    () => SIGN_IN_ALPHABET[randomInt(SIGN_IN_ALPHABET.length)],
  );
  return readSignInCode(characters.join(''));
}

/** Looked up by digest, so that neither memory nor timing gives a secret away. */
export function digestOf(secret: string): string {
  return hash('sha256', secret);
}
