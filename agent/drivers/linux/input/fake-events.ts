/** One event of the XTEST extension. */
export type FakeEvent =
  | { kind: 'key'; keycode: number; isDown: boolean }
  | { kind: 'button'; button: number; isDown: boolean }
  | { kind: 'motion'; x: number; y: number };

/** A key or button that is down: `key 38`, `button 1`. */
export type Held = string;

export function isHolding(events: readonly FakeEvent[], before: ReadonlySet<Held>): Set<Held> {
  const held = new Set(before);
  for (const event of events) {
    if (event.kind === 'motion') continue;
    const name = nameOf(event);
    if (event.isDown) held.add(name);
    else held.delete(name);
  }
  return held;
}

/** Everything that is down before one of the events or after it. */
export function mayBeHeld(events: readonly FakeEvent[], before: ReadonlySet<Held>): Set<Held> {
  return isHolding(
    events.filter((event) => event.kind !== 'motion' && event.isDown),
    before,
  );
}

/** Lets go of everything, the last one pressed first. */
export function releaseOf(held: ReadonlySet<Held>): FakeEvent[] {
  return [...held].reverse().map((name) => {
    const number = Number(name.split(' ')[1]);
    return name.startsWith('key')
      ? { kind: 'key', keycode: number, isDown: false }
      : { kind: 'button', button: number, isDown: false };
  });
}

/** The number that XTEST has for an event, and its detail. */
export function wireOf(event: FakeEvent): { type: 2 | 3 | 4 | 5 | 6; detail: number; x: number; y: number } {
  switch (event.kind) {
    case 'key':
      return { type: event.isDown ? 2 : 3, detail: event.keycode, x: 0, y: 0 };
    case 'button':
      return { type: event.isDown ? 4 : 5, detail: event.button, x: 0, y: 0 };
    case 'motion':
      return { type: 6, detail: 0, x: event.x, y: event.y };
  }
}

function nameOf(event: Exclude<FakeEvent, { kind: 'motion' }>): Held {
  return event.kind === 'key' ? `key ${event.keycode}` : `button ${event.button}`;
}
