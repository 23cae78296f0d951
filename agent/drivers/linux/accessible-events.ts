import type { Bus } from './dbus.ts';

/** One change that an app tells of. `detail`: of a state, its name; of a property, the property's. */
export type AccessibleEvent = { path: string; kind: string; detail: string };

const REGISTRY = {
  destination: 'org.a11y.atspi.Registry',
  path: '/org/a11y/atspi/registry',
  interface: 'org.a11y.atspi.Registry',
};
const DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};
const EVENTS = 'org.a11y.atspi.Event.';
/** Not of windows: to end that would also end the listening that keeps the caches of apps, and the X server tells of windows. */
const KIND = 'object';
const TIMEOUT_MS = 500;

/**
 * Hears the changes of one app, by its name on the bus. Resolves once the app knows that somebody listens, with the way to end it: apps send
 * events only while a program asks for them.
 */
export async function hearEvents(
  bus: Bus,
  app: { bus: string; path: string },
  heard: (event: AccessibleEvent) => void,
): Promise<() => void> {
  const rule = `type='signal',sender='${app.bus}'`;
  const tell = (call: { member: string; body: string[] }, to = REGISTRY) =>
    bus.ask({ ...to, signature: 's', ...call }, TIMEOUT_MS);
  const stop = bus.onSignal(({ sender, interface: name, member, path, body }) => {
    if (sender !== app.bus || !name.startsWith(EVENTS)) return;
    heard({ path, kind: `${name.slice(EVENTS.length)}:${member}`, detail: String(body[0] ?? '') });
  });
  await Promise.all([
    tell({ member: 'AddMatch', body: [rule] }, DAEMON),
    tell({ member: 'RegisterEvent', body: [KIND] }),
  ]);
  // Its answer comes after it has heard from the registry.
  await bus.ask(
    { destination: app.bus, path: app.path, interface: 'org.a11y.atspi.Accessible', member: 'GetRole' },
    TIMEOUT_MS,
  );
  return () => {
    stop();
    const ended = [
      tell({ member: 'RemoveMatch', body: [rule] }, DAEMON),
      tell({ member: 'DeregisterEvent', body: [KIND] }),
    ];
    // A bus that is gone has forgotten the registrations, so a failure here needs no answer.
    for (const each of ended) each.catch(() => undefined);
  };
}
