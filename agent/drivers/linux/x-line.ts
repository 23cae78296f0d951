import type { Client, Reply } from 'x11';

/** `null` is the server's refusal. */
export type Ask = <Value>(send: (client: Client, reply: Reply<Value>) => void) => Promise<Value | null>;

/** Questions, and requests that have no answer, to one server. */
export type XLine = { ask: Ask; tell(send: (client: Client) => void): void; newId(): number; root: number };
