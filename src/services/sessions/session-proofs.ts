import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type ProofFault, type ProvedCall, provedText, readProof } from '../../contract/session-proof.ts';

/** The key of the page that a session belongs to. `after`: calls with this number, and with smaller ones, were served. */
export type PageKey = { publicKey: string; after: string };

/** A call as it came: `proof` is its header. */
export type SignedCall = Pick<ProvedCall, 'method' | 'target'> & { proof: unknown };

export type ProofCheck = ReturnType<typeof createProofCheck>;

/** So many numbers of a session are remembered. Calls that are sent at the same time may come in any order. */
const REMEMBERED = 1_000;

/** Checks the calls of one session. A number that was spent, or that is as small as those forgotten, is a replay. */
export function createProofCheck({ publicKey, after }: PageKey) {
  const key = keyOf(publicKey);
  const spent = new Set<bigint>();
  let floor = BigInt(after);
  let latest = floor;

  const isSpent = (number: bigint) => number <= floor || spent.has(number);

  function forget(): void {
    const sorted = [...spent].toSorted((one, other) => (one < other ? -1 : 1));
    for (const number of sorted.slice(0, REMEMBERED / 2)) {
      spent.delete(number);
      floor = number;
    }
  }

  return {
    /** `session`: the key of the session. Spends nothing. */
    fault(session: string, { method, target, proof: header }: SignedCall): ProofFault | undefined {
      const proof = readProof(header);
      if (proof === undefined) return header === undefined ? 'proof_missing' : 'proof_wrong';
      const text = Buffer.from(provedText({ method, target, session, ...proof }));
      const isSigned = verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(proof.signature, 'hex'));
      if (!isSigned) return 'proof_wrong'; // guard A27-2
      return isSpent(BigInt(proof.number)) ? 'proof_replayed' : undefined;
    },
    /** A call without a fault is served, so its number is good no more. */
    spend({ proof }: SignedCall): void {
      const number = BigInt(readProof(proof)?.number ?? 0);
      spent.add(number); // guard A27-3
      if (number > latest) latest = number;
      if (spent.size >= REMEMBERED) forget();
    },
    /** For the next run of the daemon. */
    rest: (): PageKey => ({ publicKey, after: String(latest) }),
  };
}

/** Whether it is the public key of an ECDSA pair on P-256. */
export function isPageKey(publicKey: string): boolean {
  try {
    return keyOf(publicKey).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function keyOf(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' });
}
