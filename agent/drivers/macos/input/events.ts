/** One event of pointer or keyboard, as input-events.js posts it. Points are those of the desktop. */
export type InputEvent =
  | { kind: 'move'; x: number; y: number }
  | { kind: 'button'; button: number; isDown: boolean; clicks: number }
  /** In notches; positive is down and right. */
  | { kind: 'scroll'; dx: number; dy: number }
  | { kind: 'key'; code: number; isDown: boolean }
  /** At most 20 UTF-16 units: macOS drops the rest. */
  | { kind: 'text'; text: string };

/** Keys and buttons that are down. */
export type Held = { keys: readonly number[]; buttons: readonly number[] };

export const NOTHING_HELD: Held = { keys: [], buttons: [] };

/** Every key and button that may be down while the events are posted. Posting may stop after any event. */
export function mayBeHeld(events: readonly InputEvent[], before: Held): Held {
  const keys = events.flatMap((event) => (event.kind === 'key' && event.isDown ? [event.code] : []));
  const buttons = events.flatMap((event) => (event.kind === 'button' && event.isDown ? [event.button] : []));
  return { keys: [...new Set([...before.keys, ...keys])], buttons: [...new Set([...before.buttons, ...buttons])] };
}

export function isHolding({ keys, buttons }: Held): boolean {
  return keys.length + buttons.length > 0;
}
