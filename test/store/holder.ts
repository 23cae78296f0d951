import { createStore } from '../../src/store/store.ts';

const [path = '', appending] = process.argv.slice(2);
const store = createStore({ path, now: Date.now });
if (appending !== undefined) store.write('durable', () => store.journal.append(1, { kind: 'agent.start_requested' }));
process.send?.('holding');
setInterval(() => undefined, 60_000);
