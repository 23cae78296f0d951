import type { Room } from '../room.ts';
import { useObservable } from '../use-observable.ts';
import { type Standing, standingOf } from './standing.ts';

const MARK = new URL('../handrail.svg', import.meta.url).href;

/** The name, the state of Handrail in a word, and the emergency stop, always in reach. */
export function StatusBar({ room }: { room: Room }) {
  const { client, act } = room;
  const state = useObservable(room.feed);
  const standing = standingOf(state);
  return (
    <header className="status-bar">
      <p className="mark">
        <img src={MARK} alt="" width={20} height={20} />
        Handrail
      </p>
      <p className="standing" role="status" data-standing={standing.name}>
        <span className="dot" aria-hidden="true" />
        <span className="standing-words">{standing.words}</span>
      </p>
      {isPaused(standing) ? (
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

function isPaused({ name }: Standing): boolean {
  return name === 'paused';
}
