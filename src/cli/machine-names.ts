import { behindMachine } from '../contract/machine-rules.ts';
import type { Requester } from './requester.ts';

/** What a line begins with that is about another machine, by the device; nothing for this computer. */
export async function machineNames({ client }: Pick<Requester, 'client'>): Promise<(deviceId?: string) => string> {
  const devices = await client.devices();
  const names = new Map(devices.ok ? devices.value.items.map(({ id, machine }) => [id, machine]) : []);
  return (deviceId = '') => behindMachine(names.get(deviceId), '');
}
