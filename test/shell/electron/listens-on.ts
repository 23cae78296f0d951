import type { EventEmitter } from 'node:events';

type Listen = (event: string, listener: (...args: never[]) => void) => EventEmitter;

/** The `on` of a fake. Electron types each event apart; here one emitter carries them all, so that the types of its arguments are lost. */
export function listensOn(emitter: EventEmitter): Listen {
  return (event, listener) => emitter.on(event, (...args) => listener(...(args as never[])));
}
