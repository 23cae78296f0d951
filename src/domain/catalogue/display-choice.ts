import type { Display } from '../../contract/device.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';

/**
 * The person reads the name of the display in the prompt, so it must be a display that the device has. Without a list of
 * displays the name is not checked here, and the agent checks it.
 */
export function displayFaults(display: string | undefined, displays: readonly Display[] = []): SchemaFault[] {
  if (display === undefined || displays.length === 0 || displays.some(({ id }) => id === display)) return [];
  const known = displays.map(({ id, primary }) => (primary ? `${id} (the main one)` : id)).join(', ');
  return [{ pointer: '/display', message: `expected a display of the device: ${known}` }];
}

/** The same text for the main display, be it named or not. */
export function displayTarget(display: string | undefined, displays: readonly Display[] = []): string {
  const main = displays.find(({ primary }) => primary);
  return display === undefined || display === main?.id ? 'the main display' : `display ${display}`;
}
