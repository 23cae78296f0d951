import type { FeedState } from '../feed/feed.ts';

export type Standing = {
  name: 'connecting' | 'lost' | 'paused' | 'asking' | 'offline' | 'acting' | 'idle';
  words: string;
};

/** How the rail stands, in a word or two; what a person must know first comes first. */
export function standingOf({ connection, confirmations, status }: FeedState): Standing {
  if (connection === 'connecting') return { name: 'connecting', words: 'Connecting…' };
  if (connection === 'lost') return { name: 'lost', words: 'Reconnecting…' };
  if (status?.paused) return { name: 'paused', words: 'Paused' };
  if (confirmations.length > 0) return { name: 'asking', words: 'Waiting for you' };
  if (status?.agent === 'offline') return { name: 'offline', words: 'Agent offline' };
  if (status !== undefined && status.running > 0) return { name: 'acting', words: `${status.running} running` };
  return { name: 'idle', words: 'Ready' };
}
