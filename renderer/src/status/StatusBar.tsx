import type { ReactNode } from 'react';
import type { Room } from '../room.ts';
import { useObservable } from '../use-observable.ts';
import { type Standing, standingOf } from './standing.ts';

/** How the rail stands, the way to its rooms, and the emergency stop, always in reach. */
export function StatusBar({ room, children }: { room: Room; children: ReactNode }) {
  const { client, act } = room;
  const state = useObservable(room.feed);
  const standing = standingOf(state);
  return (
    <header className="status-bar">
      {children}
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
