import type { Context } from '../context.ts';
import { journalSelf } from '../records/journal-self.ts';
import type { AgentPort } from './port.ts';

/**
 * Journals when the registered devices go online and offline, for programs that read the event stream. One agent serves all
 * devices, so one event covers every device of every user, and names none.
 */
export function createDeviceWatch(context: Context, port: Pick<AgentPort, 'status'>) {
  let wereOnline = false;
  return {
    /** Looks again; the agent came or went. */
    changed(): void {
      const areOnline = port.status() === 'online';
      if (areOnline === wereOnline) return;
      try {
        journalSelf(context, { kind: areOnline ? 'device.online' : 'device.offline' });
        wereOnline = areOnline;
      } catch (error) {
        context.log.error({ err: error }, 'that the devices went online, or offline, could not be journaled');
      }
    },
  };
}
