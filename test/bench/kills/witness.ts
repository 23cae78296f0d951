import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { missingNeeds } from '../../../src/agent-host/virtual-desktop/programs.ts';
import type { PrivateDesktop } from './desktop.ts';

/** What the window of a real app got in one round. */
export type Seen = { text: string; clicks: number; chords: number; drags: number; presses: number; releases: number };

export type Witness = {
  /** Resolves when the window gets the first key or press of the round. */
  begun(): Promise<unknown>;
  /** What the window got in the round. The server gives events in their order, so all that came before is counted. */
  told(): Promise<Seen>;
};

/** Places in the window. */
export const PLACES = { button: { x: 100, y: 280 }, from: { x: 100, y: 380 }, to: { x: 700, y: 380 } };

const WISH = { name: 'wish', package: 'tk', anyOf: ['wish'] };

const END_OF_ROUND = 'F8';

/** An app of another maker's toolkit, Tk. */
export async function openWitness(desktop: PrivateDesktop): Promise<Witness> {
  if (missingNeeds([WISH], process.env.PATH ?? '').length > 0)
    throw new Error('wish is missing: install the package tk');
  const app = desktop.launch('wish', [join(import.meta.dirname, 'witness.tcl')]);
  const gone = once(app, 'exit').then(() => Promise.reject(new Error('the window of the witness is gone')));
  // Whoever waits for the window hears of it.
  gone.catch(() => undefined);
  let first = Promise.withResolvers<void>();
  let round = Promise.withResolvers<Seen>();
  createInterface({ input: app.stdout }).on('line', (line) => {
    const said: unknown = JSON.parse(line);
    if (said === 'begun') return first.resolve();
    const seen = said as Seen;
    round.resolve({ ...seen, text: Buffer.from(seen.text, 'base64').toString() });
  });
  await desktop.ask('xdotool', 'search', '--sync', '--onlyvisible', '--name', 'Witness');
  return {
    begun() {
      first = Promise.withResolvers();
      return first.promise;
    },
    async told() {
      round = Promise.withResolvers();
      await desktop.ask('xdotool', 'key', END_OF_ROUND);
      return Promise.race([round.promise, gone]);
    },
  };
}
