import { createStore } from '../../src/store/store.ts';

createStore({ path: String(process.argv[2]), now: Date.now });
process.send?.('holding');
setInterval(() => undefined, 60_000);
