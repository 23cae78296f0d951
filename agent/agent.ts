import {
  LINK_PROTOCOL,
  LOOK_AGAIN,
  type ParentMessage,
  type PerformParams,
  REFUSED_EXIT_CODE,
} from '../src/contract/link.ts';
import type { Transport } from '../src/contract/transport.ts';
import type { Driver, Environment } from './drivers/driver.ts';
import { createLinkClient, type Introduction, type LinkClient } from './link-client.ts';
import type { ParentChannel } from './parent-channel.ts';
import { PERFORMERS } from './performers.ts';
import { createRunner, type Runner } from './runner.ts';
import { noteOwnAddress } from './targets/own-pages.ts';

/** The agent's description of itself in every hello. */
type Identity = Pick<Introduction, 'agentVersion' | 'bootId' | 'pid' | 'platform' | 'hostname'>;

export type Agent = {
  /** Stops what runs, lets go of the desktop and of the link, and exits. A second call can only hasten it. */
  stop(end: { exitCode: number; withinMs: number }): void;
  /** The agent itself is broken: nothing that was asked of it is left without an answer. */
  fail(error: unknown): void;
};

type Options = {
  identity: Identity;
  parent: ParentChannel;
  openLink(url: string, token: string): Promise<Transport>;
  /** What is asked, in terms of this computer, where the daemon is on another one. */
  here?(params: PerformParams): PerformParams;
  loadDriver(): Promise<Driver>;
  /** Why the sandbox of scripts does not work here, if so. Runs once. */
  testScripts?(): Promise<string | undefined>;
  log(line: string): void;
  exit(code: number): void;
};

const STOP_MS = 3_000;
/** A second is promised; some of it goes by before the end of the parent is noticed. */
const ORPHAN_MS = 600;
const FAILED_EXIT_CODE = 70;

/** Knows the displays and permissions, and tells when they have changed. */
type EnvironmentWatch = {
  /** The known environment; waits for the driver, but only as long as a hello may be delayed. */
  current(): Promise<Environment>;
  /** Asks the driver, and tells if the answer is not what was said last. */
  refresh(): Promise<void>;
  /** Asks the driver because it is being used, unless it was asked a moment ago. */
  used(): void;
  start(): void;
  stop(): void;
};

type EnvironmentWatchOptions = {
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
}: EnvironmentWatchOptions): EnvironmentWatch {
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

/** How often the daemon is asked for a sign of life while an action with an effect runs. */
const ASK_EVERY_MS = 250;
/** A daemon that gives no sign of life for this long cannot stop an action. */
export const STUCK_AFTER_MS = 2_000;

/** Watches whether the daemon's thread still answers while actions with an effect run: rule 7 of LINK.md. */
type StuckWatch = {
  /** An action with an effect begins. */
  begin(): void;
  /** Anything at all has come from the daemon. */
  heard(): void;
};

type StuckWatchOptions = {
  /** Sends a ping, which the daemon's event loop answers; false while there is no link, whose end has rules of its own. */
  ping(): boolean;
  /** Whether an action with an effect runs. */
  isActing(): boolean;
  /** The daemon did not answer for `STUCK_AFTER_MS`. */
  stuck(): void;
  now?: () => number;
};

export function createStuckWatch({
  ping,
  isActing,
  stuck,
  now = () => performance.now(),
}: StuckWatchOptions): StuckWatch {
  let asking: NodeJS.Timeout | undefined;
  let askedAtMs = 0;
  let silentMs = 0;

  function begin(): void {
    if (asking !== undefined) return;
    silentMs = 0;
    askedAtMs = now();
    ping();
    asking = setInterval(ask, ASK_EVERY_MS);
    asking.unref();
  }

  /** A process that was asleep or had no processor itself cannot tell how long the other was silent, so such a time counts little. */
  function ask(): void {
    const atMs = now();
    silentMs += Math.min(atMs - askedAtMs, 2 * ASK_EVERY_MS);
    askedAtMs = atMs;
    if (!isActing()) {
      end();
      return;
    }
    if (!ping()) silentMs = 0;
    // Frames that have arrived and were not read yet are read before the answer is judged.
    if (silentMs >= STUCK_AFTER_MS) setImmediate(judge); // guard D4-4
  }

  function judge(): void {
    if (silentMs < STUCK_AFTER_MS) return;
    silentMs = 0;
    stuck();
  }

  function end(): void {
    clearInterval(asking);
    asking = undefined;
  }

  return {
    begin,
    heard() {
      silentMs = 0;
      askedAtMs = now();
    },
  };
}

/** Puts the agent together: the parent says where to connect, the daemon what to do, the driver does it. */
export function startAgent(options: Options): Agent {
  const { identity, parent, openLink, log } = options;
  const driver = onceLoaded(options.loadDriver);
  const scripts = once(options.testScripts ?? (async () => undefined));
  const environment = createEnvironmentWatch({ driver: driver.get, changed: (status) => link.status(status) });
  const runner = createRunner({
    driver: driver.get,
    accepted(key, effectClass) {
      link.accepted(key);
      if (effectClass !== 'pure') stuckWatch.begin();
    },
    answered(key, answer) {
      link.answered(key, answer);
      environment.used();
    },
    answerAgain: (key) => link.answerAgain(key),
    log,
  });
  const stuckWatch = createStuckWatch({
    ping: () => link.ping(),
    isActing: () => runner.isActing(),
    stuck() {
      log(`the daemon did not answer for ${STUCK_AFTER_MS / 1_000} s, so the actions that run are stopped`);
      runner.callOff();
    },
  });
  const stop = createStop({ runner, environment, driver, exit: options.exit, closeLink: () => link.close() });
  const link: LinkClient = createLinkClient({
    open: openLink,
    introduce: async () => ({
      protocol: LINK_PROTOCOL,
      ...identity,
      ...(await environment.current()),
      actionTypes: [...PERFORMERS.keys()],
    }),
    inflight: () => runner.inflight(),
    perform(asked) {
      const params = options.here?.(asked) ?? asked;
      // Its answer comes after the news.
      if (params.actionType === LOOK_AGAIN) void environment.refresh().then(() => runner.perform(params));
      else runner.perform(params);
    },
    cancel: (key, reason) => runner.cancel(key, reason),
    heard: () => stuckWatch.heard(),
    async greeted() {
      await wakeUp(driver, environment, log);
      const scriptsFail = await scripts();
      if (scriptsFail !== undefined) link.status({ ...(await environment.current()), scriptsFail });
    },
    wantToken: () => parent.send({ type: 'token_wanted' }),
    refused(reason) {
      log(`the daemon does not want this agent: ${reason}`);
      stop({ exitCode: REFUSED_EXIT_CODE, withinMs: STOP_MS });
    },
    log,
  });
  parent.listen({
    message: (message) => obey(message, link, () => stop({ exitCode: 0, withinMs: STOP_MS })),
    gone: () => stop({ exitCode: 0, withinMs: ORPHAN_MS }),
  });
  return {
    stop,
    fail(error) {
      log(`the agent is broken: ${error instanceof Error ? error.stack : String(error)}`);
      runner.abandon('The device agent broke while the action was running; its log says more.');
      stop({ exitCode: FAILED_EXIT_CODE, withinMs: ORPHAN_MS });
    },
  };
}

function obey(message: ParentMessage, link: LinkClient, stop: () => void): void {
  switch (message.type) {
    case 'connect':
      noteOwnAddress(message.url);
      void link.connect(message.url, message.token);
      break;
    case 'stop':
      stop();
  }
}

function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let begun: Promise<Value> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}

type LoadedDriver = { get(): Promise<Driver>; ifLoaded(): Driver | undefined; warmUp(): Promise<void> };

/** Loads the driver when it is first wanted, and warms it up once. */
function onceLoaded(load: () => Promise<Driver>): LoadedDriver {
  let loading: Promise<Driver> | undefined;
  let loaded: Driver | undefined;
  let isWarm = false;
  const get = () => {
    loading ??= load().then((driver) => {
      loaded = driver;
      return driver;
    });
    return loading;
  };
  return {
    get,
    ifLoaded: () => loaded,
    async warmUp() {
      if (isWarm) return;
      isWarm = true;
      await (await get()).warmUp();
    },
  };
}

/** Work that would delay the hello runs after it. */
async function wakeUp(driver: LoadedDriver, environment: EnvironmentWatch, log: (line: string) => void): Promise<void> {
  environment.start();
  await environment.refresh();
  try {
    await driver.warmUp();
  } catch (error) {
    log(`the driver cannot warm up: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

type StopParts = {
  runner: Runner;
  environment: EnvironmentWatch;
  driver: LoadedDriver;
  closeLink(): Promise<void>;
  exit(code: number): void;
};

function createStop({ runner, environment, driver, closeLink, exit }: StopParts): Agent['stop'] {
  let isStopping = false;
  return async ({ exitCode, withinMs }) => {
    setTimeout(() => exit(exitCode), withinMs);
    if (isStopping) return;
    isStopping = true;
    environment.stop();
    await orAfter(runner.stop('shutdown'), withinMs * 0.5);
    await orAfter(driver.ifLoaded()?.close(), withinMs * 0.3);
    await closeLink();
    exit(exitCode);
  };
}

/** Waits until the work ends, in any way, but no longer than `patienceMs`. */
function orAfter(work: Promise<void> | undefined, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMs).unref();
    Promise.resolve(work).then(resolve, () => resolve());
  });
}
