import type { Moment } from './scenario.ts';

/** Never comes to an end, but for the one that throws. */
export function befall(mishap: NonNullable<Moment['mishap']>): Promise<never> {
  if (mishap === 'throw') throw new Error('the scenario wants a broken driver');
  if (mishap === 'crash') process.kill(process.pid, 'SIGKILL');
  if (mishap === 'throw_outside') setImmediate(throwBroken);
  return new Promise(() => undefined);
}

function throwBroken(): never {
  throw new Error('the scenario wants an error that nobody catches');
}
