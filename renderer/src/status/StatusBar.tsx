import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../use-observable.ts';
import { type StatusLine, statusLineOf } from './status-line.ts';

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
        <button type="button" className="stop" onClick={() => act(client.pause())}>
          <span className="stop-sign" aria-hidden="true" />
          Pause
        </button>
      )}
    </header>
  );
}

function isPaused({ name }: StatusLine): boolean {
  return name === 'paused';
}
