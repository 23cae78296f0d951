import { EventEmitter } from 'node:events';

/**
 * Loaded before the agent: gives this process the `parentPort` of a utility process. What the parent has posted before somebody
 * listens is kept, and the process ends with its parent, as in electron.
 */
const early: unknown[] = [];
const events = new EventEmitter();

const parentPort = {
  postMessage: (message: unknown) => void process.send?.(message, undefined, undefined, () => undefined),
  on(event: 'message', listener: (event: { data: unknown }) => void): void {
    events.on(event, listener);
    for (const data of early.splice(0)) listener({ data });
  },
};

process.on('message', (data) => {
  if (events.listenerCount('message') === 0) early.push(data);
  else events.emit('message', { data });
});
process.once('disconnect', () => process.exit(0));

Reflect.set(process, 'parentPort', parentPort);
