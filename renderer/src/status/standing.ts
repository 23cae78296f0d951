import type { FeedState } from '../feed/feed.ts';

export type Standing = {
  name: 'connecting' | 'lost' | 'paused' | 'asking' | 'offline' | 'starting' | 'acting' | 'idle';
  words: string;
};

/** The state of Handrail in a word or two. The most urgent state wins. */
export function standingOf({ connection, confirmations, stuckTasks = [], status }: FeedState): Standing {
  if (connection === 'connecting') return { name: 'connecting', words: 'Connecting…' };
  if (connection === 'lost') return { name: 'lost', words: 'Reconnecting…' };
  if (status?.paused) return { name: 'paused', words: 'Paused' };
  if (confirmations.length + stuckTasks.length > 0) return { name: 'asking', words: 'Waiting for you' };
  if (status?.agent === 'offline') return { name: 'offline', words: 'Agent offline' };
  if (status?.agent === 'starting') return { name: 'starting', words: 'Agent starting…' };
  if (status !== undefined && status.running > 0) return { name: 'acting', words: `${status.running} running` };
  return { name: 'idle', words: 'Ready' };
}
