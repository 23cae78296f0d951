/**
 * A page signs each call of its session with a private key that it cannot hand on. So the key of the session, which is a text that
 * can be copied, opens nothing by itself. Page and daemon share this file. The key pair is ECDSA on P-256 with SHA-256: the signature is r and s,
 * 32 bytes each, the public key SPKI in DER. All of it is written in hex.
 */

export const PROOF_HEADER = 'x-handrail-proof';

/** `target`: path and query, as they are sent. `session`: the key of the session. `number`: no two calls of a session have the same. */
export type ProvedCall = { method: string; target: string; bodyDigest: string; session: string; number: string };

/** What is signed. None of the parts can have a line break. */
export function provedText({ method, target, bodyDigest, session, number }: ProvedCall): string {
  return ['handrail call', method, target, bodyDigest, session, number].join('\n');
}

export type Proof = Pick<ProvedCall, 'number' | 'bodyDigest'> & { signature: string };

/** The value of the header. */
export function proofText({ number, bodyDigest, signature }: Proof): string {
  return `${number}.${bodyDigest}.${signature}`;
}

export function readProof(header: unknown): Proof | undefined {
  const [, number, bodyDigest, signature] = (typeof header === 'string' && PROOF.exec(header)) || [];
  if (number === undefined || bodyDigest === undefined || signature === undefined) return undefined;
  return { number, bodyDigest, signature };
}

const PROOF = /^(\d{1,30})\.([0-9a-f]{64})\.([0-9a-f]{128})$/;

/** Why a call of a session that belongs to a page is refused. A call is told this as `reason`. */
export type ProofFault = 'proof_missing' | 'proof_wrong' | 'proof_replayed' | 'proof_of_other_body';
