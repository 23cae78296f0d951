import { type AccessibleRef, refsOf, textOf } from './accessible-node.ts';
import { type Bus, type BusCall, BusLostError, openBus, processOf, sessionBusAddress } from './dbus.ts';

/** One application that tells of its windows. */
export type AccessibleApp = { root: AccessibleRef; pid: number | null; toolkit: string };

/** One change that an app tells of. `detail`: of a state, its name; of a property, the property's. */
export type AccessibleEvent = { path: string; kind: string; detail: string };

const EVENT_REGISTRY = {
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
async function hearEvents(
  bus: Bus,
  app: { bus: string; path: string },
  heard: (event: AccessibleEvent) => void,
): Promise<() => void> {
  const rule = `type='signal',sender='${app.bus}'`;
  const tell = (call: { member: string; body: string[] }, to = EVENT_REGISTRY) =>
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

export type AccessibilityBus = {
  /** The applications on the bus now; `null` when there is no accessibility bus. */
  apps(timeoutMs: number): Promise<AccessibleApp[] | null>;
  /** The values of an answer; `null` when the object is gone, does not answer in time, or the bus is. */
  ask(ref: AccessibleRef, question: Question, timeoutMs: number): Promise<readonly unknown[] | null>;
  /** Hears what an app tells of its changes, from when this resolves until the answer is called. */
  hear(app: AccessibleApp, heard: (event: AccessibleEvent) => void): Promise<() => void>;
  /** `unknown` without a session bus; `denied` where no accessibility bus answers; `switched_off`: apps built on Chromium or Qt tell nothing. */
  state(): Promise<'not_required' | 'switched_off' | 'denied' | 'unknown'>;
  close(): Promise<void>;
};

export type Question = Pick<BusCall, 'interface' | 'member' | 'signature' | 'body'>;

const ROOT = { bus: 'org.a11y.atspi.Registry', path: '/org/a11y/atspi/accessible/root' };
const REGISTRY: AccessibleRef = { bus: 'org.a11y.atspi.Registry', path: '/org/a11y/atspi/registry' };
const ADDRESS_TIMEOUT_MS = 1_000;

/** The accessibility bus of the session. Connects when first asked, keeps the connection, renews it after it was lost. */
export function createAccessibilityBus(environment: NodeJS.ProcessEnv): AccessibilityBus {
  let opening: Promise<Bus | null> | null = null;
  let closed = false;
  const known = new Map<string, Promise<Omit<AccessibleApp, 'root'>>>();

  function connected(): Promise<Bus | null> {
    if (closed) return Promise.resolve(null);
    opening = (opening ?? Promise.resolve(null)).then((before) =>
      before?.isLost() === false ? before : connectAnew(),
    );
    return opening;
  }

  function connectAnew(): Promise<Bus | null> {
    known.clear();
    return connect(environment);
  }

  async function ask(ref: AccessibleRef, question: Question, timeoutMs: number) {
    const bus = await connected();
    return bus === null ? null : orLost(bus.ask({ ...question, destination: ref.bus, path: ref.path }, timeoutMs));
  }

  async function aboutApp(bus: Bus, root: AccessibleRef, timeoutMs: number) {
    const [pid, toolkit] = await Promise.all([
      processOf(bus, root.bus),
      ask(root, property('org.a11y.atspi.Application', 'ToolkitName'), timeoutMs),
    ]);
    return { pid, toolkit: textOf(toolkit?.[0]) };
  }

  return {
    ask,
    async apps(timeoutMs) {
      const bus = await connected();
      if (bus === null) return null;
      const answer = await ask(ROOT, { interface: 'org.a11y.atspi.Accessible', member: 'GetChildren' }, timeoutMs);
      if (answer === null) return null;
      const apps = refsOf(answer[0]).map(async (root) => {
        // The bus never gives a name to a second process, so the facts learnt about a name stay true.
        const asked = known.get(root.bus) ?? aboutApp(bus, root, timeoutMs);
        known.set(root.bus, asked);
        const about = await asked;
        // An app that was too slow to say it is asked again.
        if (about.toolkit === '') known.delete(root.bus);
        return { root, ...about };
      });
      return Promise.all(apps);
    },
    async hear({ root }, heard) {
      const bus = await connected();
      if (bus === null) return () => undefined;
      const hearing = hearEvents(bus, root, heard);
      return hearing.catch((error) => {
        if (error instanceof BusLostError) return () => undefined;
        throw error;
      });
    },
    async state() {
      const session = sessionBusAddress(environment);
      if (session === null) return 'unknown';
      if ((await connected()) === null) return 'denied';
      return (await isSwitchedOff(session)) ? 'switched_off' : 'not_required';
    },
    async close() {
      closed = true;
      await (await opening)?.close();
    },
  };
}

export function property(ofInterface: string, name: string): Question {
  return { interface: 'org.freedesktop.DBus.Properties', member: 'Get', signature: 'ss', body: [ofInterface, name] };
}

async function connect(environment: NodeJS.ProcessEnv): Promise<Bus | null> {
  const sessionAddress = sessionBusAddress(environment);
  if (sessionAddress === null) return null;
  try {
    const address = await accessibilityAddress(sessionAddress);
    if (address === null) return null;
    const bus = await openBus(address);
    await announceListener(bus);
    return bus;
  } catch (error) {
    if (error instanceof BusLostError) return null;
    throw error;
  }
}

async function accessibilityAddress(sessionAddress: string): Promise<string | null> {
  const [address] = (await askLauncher(sessionAddress, { interface: 'org.a11y.Bus', member: 'GetAddress' })) ?? [];
  return typeof address === 'string' && address !== '' ? address : null;
}

async function isSwitchedOff(sessionAddress: string): Promise<boolean> {
  const answer = await orLost(askLauncher(sessionAddress, property('org.a11y.Status', 'IsEnabled')));
  return answer?.[0] === false;
}

/** Asks the program behind the accessibility bus, over the session bus. */
async function askLauncher(sessionAddress: string, question: Question): Promise<readonly unknown[] | null> {
  const session = await openBus(sessionAddress);
  try {
    return await session.ask({ ...question, destination: 'org.a11y.Bus', path: '/org/a11y/bus' }, ADDRESS_TIMEOUT_MS);
  } finally {
    await session.close();
  }
}

/** GTK 3 keeps a cache of its objects only while some program listens, for any event. */
async function announceListener(bus: Bus): Promise<void> {
  const registration = {
    destination: REGISTRY.bus,
    path: REGISTRY.path,
    interface: 'org.a11y.atspi.Registry',
    member: 'RegisterEvent',
    signature: 's',
    body: ['window:create'],
  };
  await bus.ask(registration, ADDRESS_TIMEOUT_MS);
}

async function orLost(answer: Promise<readonly unknown[] | null>): Promise<readonly unknown[] | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof BusLostError) return null;
    throw error;
  }
}
