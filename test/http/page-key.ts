import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { PROOF_HEADER, proofText, provedText } from '../../src/contract/session-proof.ts';

export type PageKeys = ReturnType<typeof createPageKeys>;

/** A call as a page signs it; `body` is the text that is sent. */
export type ToSign = { line: string; session: string; body?: string; number?: string };

/** What a page has besides the key of its session. */
export function createPageKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let last = 0;
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
    /** The header that proves a call such as `GET /api/console/status`. */
    proofOf({ line, session, body = '', number = String(++last) }: ToSign): Record<string, string> {
      const [method = '', target = ''] = line.split(' ');
      const call = { method, target, bodyDigest: hash('sha256', body), session, number };
      const text = Buffer.from(provedText(call));
      const signature = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('hex');
      return { [PROOF_HEADER]: proofText({ ...call, signature }) };
    },
  };
}
