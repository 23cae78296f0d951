import type { Driver, Environment } from './drivers/driver.ts';

/** Knows the displays and permissions, and tells when they have changed. */
export type EnvironmentWatch = {
  /** The known environment; waits for the driver, but only as long as a hello may be delayed. */
  current(): Promise<Environment>;
  /** Asks the driver, and tells if the answer is not what was said last. */
  refresh(): Promise<void>;
  /** Asks the driver because it is being used, unless it was asked a moment ago. */
  used(): void;
  start(): void;
  stop(): void;
};

type Options = {
  driver: () => Promise<Driver>;
  changed(environment: Environment): void;
  patienceMs?: number;
  /** Each look starts a program on macOS, so that looking often drains the battery. */
  intervalMs?: number;
};

/** After an action the permissions are looked at again, if that is this long ago: a person may just have granted one. */
const FRESH_MS = 10_000;

const UNKNOWN: Environment = {
  displays: [],
  permissions: { screenRecording: 'unknown', accessibility: 'unknown', automation: 'not_required' },
};

export function createEnvironmentWatch({
  driver,
  changed,
  patienceMs = 500,
  intervalMs = 60_000,
}: Options): EnvironmentWatch {
  let said = UNKNOWN;
  let timer: NodeJS.Timeout | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Environment> {
    readAtMs = Date.now();
    try {
      return await (await driver()).environment();
    } catch {
      // A driver that cannot be loaded shows itself in every action; here it only means that nothing is known.
      return UNKNOWN;
    }
  }

  async function refresh(): Promise<void> {
    const environment = await read();
    if (JSON.stringify(environment) === JSON.stringify(said)) return;
    said = environment;
    changed(environment);
  }

  return {
    async current() {
      said = await Promise.race([read(), unknownAfter(patienceMs)]);
      return said;
    },
    refresh,
    used() {
      if (timer !== undefined && Date.now() - readAtMs >= FRESH_MS) void refresh();
    },
    start() {
      timer ??= setInterval(() => void refresh(), intervalMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function unknownAfter(patienceMs: number): Promise<Environment> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(UNKNOWN), patienceMs).unref();
  });
}
