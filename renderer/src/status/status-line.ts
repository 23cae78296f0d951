import type { FeedState } from '../feed/feed.ts';

export type StatusLine = {
  name: 'connecting' | 'lost' | 'paused' | 'locked' | 'asking' | 'stuck' | 'offline' | 'starting' | 'acting' | 'idle';
  words: string;
};

/** The state of Handrail in a word or two. The most urgent state wins. */
export function statusLineOf({ connection, confirmations, stuckTasks = [], status }: FeedState): StatusLine {
  if (connection === 'connecting') return { name: 'connecting', words: 'Connecting…' };
  if (connection === 'lost') return { name: 'lost', words: 'Disconnected' };
  if (status?.paused) return { name: 'paused', words: 'Paused' };
  if (status?.locked) return { name: 'locked', words: 'Screen locked' };
  if (confirmations.length > 0) return { name: 'asking', words: 'Waiting for you' };
  if (stuckTasks.length > 0) return { name: 'stuck', words: 'Needs your answer' };
  return agentStatusLine(status);
}

function agentStatusLine(status: FeedState['status']): StatusLine {
  if (status?.agent === 'offline') return { name: 'offline', words: 'Agent offline' };
  if (status?.agent === 'starting') return { name: 'starting', words: 'Agent starting…' };
  if (status !== undefined && status.running > 0) return { name: 'acting', words: `${status.running} running` };
  return { name: 'idle', words: 'Ready' };
}
