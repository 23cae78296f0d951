import type { DashboardModel } from '../dashboard-model.ts';
import type { FeedState } from '../feed/feed.ts';
import { useObservable } from '../hooks.ts';

const MARK = new URL('../handrail.svg', import.meta.url).href;

/** The name, the state of Handrail in a word, and the emergency stop, always in reach. */
export function StatusBar({ model }: { model: DashboardModel }) {
  const { client, act } = model;
  const state = useObservable(model.feed);
  const line = statusLineOf(state);
  return (
    <header className="status-bar">
      <p className="mark">
        <img src={MARK} alt="" width={20} height={20} />
        Handrail
      </p>
      <p className="status-line" role="status" data-status={line.name}>
        <span className="dot" aria-hidden="true" />
        <span className="status-line-words">{line.words}</span>
      </p>
      {isPaused(line) ? (
        <button type="button" className="primary" onClick={() => act(client.resume())}>
          Resume
        </button>
      ) : (
        <button
          type="button"
          className="stop"
          disabled={line.name === 'lost'}
          onClick={() => act(client.pause(), pausedWords(state))}
        >
          <span className="stop-sign" aria-hidden="true" />
          Pause
        </button>
      )}
    </header>
  );
}

/** What the press of Pause did to the requests that waited. */
export function pausedWords({ status }: Pick<FeedState, 'status'>): string | undefined {
  const waiting = status?.waiting ?? 0;
  if (waiting === 0) return undefined;
  return `Paused. ${waiting === 1 ? '1 request was' : `${waiting} requests were`} ended; nothing was done.`;
}

function isPaused({ name }: StatusLine): boolean {
  return name === 'paused';
}

type StatusLine = {
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
