import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { decodeTime } from 'ulid';
import { DAY_MS, LOOKED_AT, MINUTE_MS } from '../../../src/guardian/insights/facts.ts';
import { createLiveActions } from '../../../src/services/actions/live-actions.ts';
import type { AgentPort } from '../../../src/services/agent/port.ts';
import { type Context, createIds } from '../../../src/services/context.ts';
import { createGuardian } from '../../../src/services/guardian/guardian.ts';
import { createRequesterLines } from '../../../src/services/guardian/requester-lines.ts';
import { createStore, type Store } from '../../../src/store/store.ts';
import { createFakeClock } from '../../services/fake-clock.ts';
import { fromOtherBuild } from '../../store/other-build.ts';
import { createLastDay, type LastDay } from './last-day.ts';
import { type Day, START_MS } from './person.ts';
import { createSeen } from './seen.ts';
import type { Happening } from './session.ts';
import { changeTables, registerDevice } from './tables.ts';

/** The daemon waits so long for the events of a minute to be stored. */
const SETTLED_MS = 2_000;
/** After so long without an event, a look a third as often as usual sees the same. */
const IDLE_MS = 30 * MINUTE_MS;
const IDLE_TIMES = 3;
const AGENT_COMES_AFTER_MS = 4_000;
/** The database with its write-ahead log, and the anchor, without which a journal counts as broken. A daemon makes all other files when it starts. */
const FILES = ['handrail.db', 'handrail.db-wal', 'journal.anchor', 'journal.key'];

export type World = {
  path: string;
  nowMs(): number;
  lastDay: LastDay;
  seen: ReturnType<typeof createSeen>;
  /** Lives one day, minute after minute while the machine is up. */
  live(day: Day, how: HowToLive): void;
  end(): void;
};

/** `sleeps`: the daemon starts and ends with the day. `passed`: called after each minute; `true` ends the day. */
export type HowToLive = {
  sleeps: boolean;
  isPermitted(atMs: number): boolean;
  /** Whether it is enough to look a third as often. */
  isCalm(atMs: number): boolean;
  passed(atMs: number): boolean;
};

type Before = Pick<World, 'path' | 'nowMs' | 'lastDay' | 'seen'>;

/**
 * A daemon in which a person lives: the real store, journal, recording and Guardian, on a simulated clock. Only the device and the
 * tables of actions and prompts are stand-ins. `before`: the world that this one is a copy of.
 */
export function createWorld({ everyMinutes, before }: { everyMinutes: number; before?: Before }): World {
  const path = mkdtempSync(join(tmpdir(), 'handrail-simulation-'));
  if (before !== undefined) copyDatabase(before.path, path);
  const clock = createFakeClock(before?.nowMs() ?? START_MS);
  const store = createStore({ path, now: clock.nowMs });
  if (before === undefined) registerDevice(store);
  const reading = new Database(join(path, 'handrail.db'), { readonly: true });
  if (isBroken(reading)) throw new Error('the journal of a simulated life is broken, so its risk would be critical');
  const lastDay = createLastDay(before?.lastDay);
  const seen = createSeen(before?.seen.sightings(), before?.seen.latestLookMs());
  const device = { isPermitted: true };
  const context = contextOf({ store, clock, lastDay });
  const guardian = createGuardian(context, {
    port: portOf(device),
    live: createLiveActions(context),
    tasks: { unfinishedCount: () => 0 },
    pausedAt: () => undefined,
    lines: createRequesterLines(context),
  });
  let isStarted = false;
  let latestMs = Number.NEGATIVE_INFINITY;
  const told = reading.prepare("SELECT metadata FROM journal WHERE seq > ? AND kind = 'insight.told'");
  let readSeq = store.journal.head().seq;

  function append(happenings: readonly Happening[]): void {
    if (happenings.length === 0) return;
    store.write('relaxed', () => {
      for (const { atMs, ...event } of happenings) store.journal.append(atMs, fromOtherBuild(event));
      for (const happening of happenings) changeTables(store, happening);
    });
    for (const happening of happenings) lastDay.note(happening);
  }

  function look(): void {
    guardian.lookAround();
    const atMs = clock.nowMs();
    const dashboard = guardian.dashboard({ kind: 'person' }, { lengthMs: DAY_MS });
    seen.look(dashboard, atMs);
    for (const { metadata } of told.all(readSeq) as { metadata: string }[]) {
      const { insightId, title } = JSON.parse(metadata) as { insightId: string; title: string };
      const insight = dashboard.insights.find(({ id }) => id === insightId);
      seen.told({ title, metricTypes: insight?.metricTypes ?? [], atMs });
    }
    readSeq = store.journal.head().seq;
  }

  function liveMinute(atMs: number, happenings: readonly Happening[], isCalm: boolean): void {
    append(happenings);
    if (happenings.length > 0) latestMs = atMs;
    const isIdle = isCalm || atMs - latestMs >= IDLE_MS;
    const minutes = isIdle ? IDLE_TIMES * everyMinutes : everyMinutes;
    if ((atMs / MINUTE_MS + 1) % minutes === 0) look();
  }

  function live({ up, happenings }: Day, { sleeps, isPermitted, isCalm, passed }: HowToLive): void {
    if (up === null) return;
    if (sleeps || !isStarted) append(startAt(up.fromMs));
    isStarted = true;
    const byMinute = Map.groupBy(happenings, (each) => Math.floor(each.atMs / MINUTE_MS) * MINUTE_MS);
    for (let atMs = up.fromMs; atMs < up.toMs; atMs += MINUTE_MS) {
      clock.setWallClock(atMs + MINUTE_MS + SETTLED_MS);
      device.isPermitted = isPermitted(clock.nowMs());
      liveMinute(atMs, byMinute.get(atMs) ?? [], isCalm(clock.nowMs()));
      if (passed(clock.nowMs())) return;
    }
    if (sleeps) append([{ atMs: up.toMs, kind: 'daemon.stopped' }]);
  }

  return {
    path,
    nowMs: clock.nowMs,
    lastDay: lastDay.known,
    seen,
    live,
    end(): void {
      reading.close();
      store.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The agent is ready some seconds after the daemon. */
function startAt(atMs: number): Happening[] {
  return [
    { atMs, kind: 'daemon.started' },
    { atMs: atMs + AGENT_COMES_AFTER_MS, kind: 'agent.readiness', metadata: { ready: true } },
  ];
}

function isBroken(database: Database.Database): boolean {
  return database.prepare("SELECT 1 FROM journal WHERE kind = 'journal.broken'").get() !== undefined;
}

function copyDatabase(from: string, to: string): void {
  for (const name of FILES) cpSync(join(from, name), join(to, name), { force: true });
}

type Parts = {
  store: Store;
  clock: ReturnType<typeof createFakeClock>;
  lastDay: ReturnType<typeof createLastDay>;
};

/** Several parts of Guardian ask for the same span at the same time; each is summed up once. */
function createRecorded(store: Store): Store['recording']['recorded'] {
  const known = new Map<string, ReturnType<Store['recording']['recorded']>>();
  let knownAt = '';
  return (span, nowMs) => {
    const at = `${nowMs} ${store.journal.head().seq}`;
    if (at !== knownAt) known.clear();
    knownAt = at;
    const key = `${span.fromMs} ${span.toMs}`;
    const recorded = known.get(key) ?? store.recording.recorded(span, nowMs);
    known.set(key, recorded);
    return recorded;
  };
}

function contextOf({ store, clock, lastDay }: Parts): Context {
  return {
    clock,
    log: { info: ignore, warn: ignore, error: fail },
    newId: createIds(clock),
    store: {
      ...store,
      recording: { ...store.recording, recorded: createRecorded(store) },
      evidence: {
        ...store.evidence,
        requests: ({ afterId }) => {
          const fromMs = timeOf(afterId);
          return lastDay
            .requests(clock.nowMs())
            .filter(({ createdAtMs }) => createdAtMs >= fromMs)
            .slice(0, LOOKED_AT.requests);
        },
        prompts: () => lastDay.prompts(clock.nowMs()).slice(0, LOOKED_AT.prompts),
        answers: () => lastDay.answers(clock.nowMs()).slice(0, LOOKED_AT.answers),
        called: (by) => lastDay.called(by),
      },
    },
  };
}

/** The time with which the id of an action begins, cut off after it. */
function timeOf(idFrom: string): number {
  return decodeTime(idFrom.slice('act_'.length).padEnd(26, '0'));
}

function portOf(device: { isPermitted: boolean }): AgentPort {
  return {
    status: () => 'online',
    agent: () => ({
      id: 'agent',
      platform: 'macos',
      hostname: 'simulation',
      version: '0',
      displays: [],
      permissions: {
        screenRecording: device.isPermitted ? 'granted' : 'denied',
        accessibility: 'granted',
        automation: 'not_required',
      },
    }),
    perform: ignore,
    cancel: ignore,
    acknowledge: ignore,
  };
}

function ignore(): void {
  return;
}

/** The daemon only logs a failure; the simulation must end on it. */
function fail(facts: unknown, message: string): void {
  throw new Error(message, { cause: facts });
}
