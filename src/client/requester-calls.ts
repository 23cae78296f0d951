import type { Requester } from '../contract/console.ts';
import type { Reply } from './reply.ts';

type Send = <Value>(line: string, body?: object) => Promise<Reply<Value>>;

/** The person's calls about requesters. */
export function requesterCalls(send: Send) {
  const user = (userId: string) => `/api/console/users/${encodeURIComponent(userId)}`;
  return {
    /** The key is answered this once. */
    createUserKey: (userId: string) => send<{ key: string }>(`POST ${user(userId)}/key`),
    removeUserKey: (userId: string) => send<Requester>(`DELETE ${user(userId)}/key`),
    pauseUser: (userId: string) => send<Requester>(`POST ${user(userId)}/pause`),
    resumeUser: (userId: string) => send<Requester>(`POST ${user(userId)}/resume`),
    denyAll: (userId: string) => send<{ denied: number }>(`POST ${user(userId)}/deny-all`),
    denyStrangers: () => send<{ denied: number }>('POST /api/console/confirmations/deny-strangers'),
  };
}
