import type { Context } from '../context.ts';
import { journalSelf } from '../records/journal-self.ts';
import type { Leap } from '../steady-clock.ts';
import { untilStored } from '../work/storage-failure.ts';

/** Records each leap of the computer's clock. It may be found in the middle of a transaction, so it is recorded afterwards. */
export function createClockWatch(context: Context): (leap: Leap) => void {
  const { clock, log } = context;
  return (leap) => {
    log.warn(leap, 'the clock of the computer was set; the daemon keeps its own time until it is started again');
    clock.after(0, () =>
      untilStored(context, () => journalSelf(context, { kind: 'daemon.clock_leapt', metadata: leap })),
    );
  };
}
