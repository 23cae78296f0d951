import { blobOf, textOf } from './call.ts';
import type { Reply } from './reply.ts';

/** Gets a path with the key of the session. */
type Get = <Value>(path: string, read: (response: Response) => Promise<Reply<Value>>) => Promise<Reply<Value>>;

/** The calls for pictures and texts, of any requester. */
export function contentCalls(get: Get) {
  const artifact = (id: string) => `/api/console/artifacts/${encodeURIComponent(id)}`;
  return {
    picture: (id: string) => get(artifact(id), blobOf),
    /** The output of a script, or another artifact that is text. */
    text: (id: string) => get(artifact(id), textOf),
    /** The window or region that a prompt is about, as it is now. */
    targetPicture: (id: string) => get(`/api/console/confirmations/${encodeURIComponent(id)}/picture`, blobOf),
  };
}
