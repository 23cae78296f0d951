import type { IncomingMessage } from 'node:http';
import { headerCount } from './header-count.ts';
import { type HttpRefusal, refuse } from './refuse.ts';

/** The caller's `Idempotency-Key`; `undefined` where none came. */
export function readIdempotencyKey(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
): string | undefined | HttpRefusal {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const isOne = headerCount(request.rawHeaders, 'idempotency-key') === 1;
  if (isOne && typeof key === 'string' && /^[ -~]{1,255}$/.test(key)) return key;
  return refuse('idempotency_key_invalid', 'One Idempotency-Key is expected, of 1 to 255 printable ASCII characters.');
}
