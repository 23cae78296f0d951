import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Insight } from '../../src/contract/guardian.ts';
import type { ServiceRoot } from '../../src/services/wiring.ts';
import { fromOtherBuild } from '../store/other-build.ts';
import { notDone, type Rig, startServices } from './rig.ts';

const PERSON = { kind: 'person' } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('an insight', () => {
  it('is the same over restarts, seen since the first time, and resolved when it is over', () => {
    const rig = watching();
    refuse(rig, 'user_key_invalid');
    const first = only(rig);
    expect(first).toMatchObject({ status: 'open', count: 1, title: 'A program tried a wrong requester key' });
    rig.clock.advance(5 * MINUTE_MS);
    const next = watching(rig.crashAndRestart());
    refuse(next, 'user_key_invalid');
    next.clock.advance(MINUTE_MS);
    const later = only(next);
    expect(later).toMatchObject({
      id: first.id,
      firstSeen: first.firstSeen,
      title: 'A program tried a wrong requester key 2 times',
    });
    expect(later.count).toBeGreaterThan(5);
    sleep(next, 25 * HOUR_MS);
    expect(only(next)).toMatchObject({ id: first.id, status: 'resolved' });
    sleep(next, 7 * 24 * HOUR_MS);
    expect(list(next)).toEqual([]);
    expect(next.store.insights.all()).toEqual([]);
  });

  it('is found after the clock was set back', () => {
    const rig = startServices();
    expect(list(rig)).toEqual([]);
    rig.clock.setWallClock(rig.clock.nowMs() - HOUR_MS);
    rig.services.noteRefusal({ refused: 'user_key_invalid' });
    rig.clock.advance(1_000);
    expect(only(rig)).toMatchObject({ title: 'A program tried a wrong requester key' });
  });

  it('that the person knows of stays known, over a restart too', () => {
    const rig = watching();
    refuse(rig, 'user_key_invalid');
    const { id } = only(rig);
    expect(rig.services.guardian.acknowledge(id)).toMatchObject({ id, status: 'acknowledged' });
    expect(rig.services.guardian.acknowledge('ins_other')).toMatchObject({ refused: 'not_found' });
    const next = watching(rig.crashAndRestart());
    next.clock.advance(MINUTE_MS);
    expect(only(next)).toMatchObject({ id, status: 'acknowledged' });
    expect(next.kinds().filter((kind) => kind === 'insight.acknowledged')).toHaveLength(1);
  });

  it('names a step that can be taken: who can be paused', async () => {
    const rig = watching();
    for (let count = 0; count < 5; count += 1) {
      await rig.submitted({ parameters: { durationMs: 5 } });
      await rig.agent.answer(notDone());
    }
    rig.clock.advance(MINUTE_MS);
    const steps = list(rig).flatMap(({ action }) => action ?? []);
    const targetOf = (kind: string) => steps.find((step) => step.kind === kind)?.target ?? '';
    expect(rig.services.console.requesters.pause(targetOf('pause_requester'))).toMatchObject({
      userId: 'ann',
      pausedBecause: expect.any(String),
    });
  });

  it('is still kept up to date where its row cannot be stored', () => {
    const rig = watching();
    refuse(rig, 'user_key_invalid');
    rig.clock.advance(MINUTE_MS);
    const database = new Database(`${rig.store.path}/handrail.db`);
    database.exec(`CREATE TRIGGER frozen BEFORE UPDATE ON guardian_insights BEGIN SELECT RAISE(ABORT, 'frozen'); END`);
    database.close();
    refuse(rig, 'user_key_invalid');
    rig.clock.advance(MINUTE_MS);
    expect(only(rig)).toMatchObject({ status: 'open', title: 'A program tried a wrong requester key 2 times' });
    expect(rig.store.insights.all()).toMatchObject([{ finding: { title: 'A program tried a wrong requester key' } }]);
  });
});

describe('a mistyped sign-in code', () => {
  const titles = (rig: Rig) => list(rig).map(({ severity, title }) => `${severity}: ${title}`);
  const mistype = (rig: Rig) => rig.services.console.sessions.open('QQQQ-QQQQ');

  it('is no insight and no risk, whether or not the right one follows', () => {
    const rig = watching();
    rig.services.createSignInCode();
    mistype(rig);
    rig.clock.advance(MINUTE_MS);
    expect(titles(rig)).toEqual([]);
    rig.services.console.sessions.open(rig.services.createSignInCode());
    mistype(rig);
    rig.clock.advance(MINUTE_MS);
    expect(titles(rig)).toEqual([]);
    expect(rig.services.guardian.dashboard(PERSON, { lengthMs: HOUR_MS }).risk.score).toBe(0);
  });

  it('is a warning when another wrong one follows for the same code', () => {
    const rig = watching();
    rig.services.createSignInCode();
    mistype(rig);
    mistype(rig);
    rig.clock.advance(MINUTE_MS);
    expect(titles(rig)).toEqual(['warning: Someone entered a wrong sign-in code or key. Was it you?']);
  });
});

describe('the person', () => {
  it('is not told of one or two refused requests', () => {
    const rig = watching();
    tryKeys(rig, 2);
    refuse(rig, 'host_not_allowed');
    rig.clock.advance(30 * MINUTE_MS);
    expect(only(rig)).toMatchObject({ severity: 'info', title: 'A program tried a wrong requester key 2 times' });
    expect(told(rig.services)).toEqual([]);
  });

  it('is told of an insight once, as an event of the console, in words of its own', () => {
    const rig = watching();
    tryKeys(rig, 3);
    rig.clock.advance(30 * MINUTE_MS);
    expect(told(rig.services)).toEqual([
      {
        insightId: only(rig).id,
        severity: 'warning',
        category: 'safety',
        title: 'A program tried a wrong requester key 3 times',
      },
    ]);
  });

  it('is told again when it gets worse, over a restart too', () => {
    const rig = watching();
    tryKeys(rig, 3);
    rig.clock.advance(MINUTE_MS);
    const next = watching(rig.crashAndRestart());
    tryKeys(next, 17);
    next.clock.advance(2 * MINUTE_MS);
    expect(told(next.services).map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', 'A program tried a wrong requester key 3 times'],
      ['high', 'A program tried a wrong requester key 20 times'],
    ]);
  });

  it('is told of no more than three a day, over restarts too', () => {
    let rig = watching();
    for (const worry of [tryThreeKeys, breakJournal, tryManyKeys, requestTooMuch]) {
      worry(rig);
      rig.clock.advance(10 * MINUTE_MS);
      rig = watching(rig.crashAndRestart());
      rig.clock.advance(10 * MINUTE_MS);
    }
    expect(list(rig).map(({ category, severity, status }) => [category, severity, status])).toEqual([
      ['integrity', 'critical', 'open'],
      ['safety', 'high', 'open'],
      ['safety', 'high', 'open'],
    ]);
    const categories = () => told(rig.services).map(({ category }) => category);
    expect(categories()).toEqual(['safety', 'integrity', 'safety']);
    sleep(rig, 30 * HOUR_MS);
    expect(list(rig).filter(({ status }) => status === 'open')).toEqual([]);
    tryThreeKeys(rig);
    rig.clock.advance(MINUTE_MS);
    expect(categories()).toHaveLength(4);
  });

  it('is not told of what is only good to know', async () => {
    const rig = watching();
    rig.agent.become('online');
    await rig.submitted({ parameters: { durationMs: 5 } });
    rig.clock.advance(5 * MINUTE_MS);
    expect(list(rig).map(({ severity, title }) => [severity, title])).toEqual([
      ['info', 'New requester: ann, 1 request so far'],
    ]);
    expect(told(rig.services)).toEqual([]);
  });
});

/** Looks and tells every minute, as the daemon lets it. */
function watching(rig: Rig = startServices()): Rig {
  rig.services.watch();
  return rig;
}

/** The wall clock goes on without the daemon, as in a suspended computer; then it looks again. */
function sleep({ clock }: Rig, lengthMs: number): void {
  clock.setWallClock(clock.nowMs() + lengthMs);
  clock.advance(MINUTE_MS);
}

function list(rig: Rig): Insight[] {
  return rig.services.guardian.insights(PERSON, { limit: 100 });
}

function only(rig: Rig): Insight {
  const [insight, ...others] = list(rig);
  if (insight === undefined || others.length > 0) throw new Error('expected one insight');
  return insight;
}

/** Somebody tries something; each try is counted by itself. */
function refuse(rig: Rig, refused: 'user_key_invalid' | 'host_not_allowed'): void {
  rig.services.noteRefusal({ refused });
  rig.clock.advance(1_000);
}

/** What the console's event stream said the person should know, from the beginning. */
function told(services: ServiceRoot) {
  const { events } = services.events.read(0, { limit: 10_000 });
  return events.filter(({ kind }) => kind === 'insight.told').map(({ metadata }) => metadata);
}

function tryKeys(rig: Rig, times: number): void {
  for (let count = 0; count < times; count += 1) refuse(rig, 'user_key_invalid');
}

const tryThreeKeys = (rig: Rig) => tryKeys(rig, 3);
const tryManyKeys = (rig: Rig) => tryKeys(rig, 20);

function breakJournal({ store, clock }: Rig): void {
  store.write('durable', () =>
    store.journal.append(clock.nowMs(), { kind: 'journal.broken', metadata: { reason: null } }),
  );
}

function requestTooMuch({ store, clock }: Rig): void {
  store.write('relaxed', () => {
    for (let count = 0; count < 120; count += 1) {
      const metadata = { type: 'Wait', risk: 'low', verdict: 'block', by: 'profile', digest: String(count) };
      store.journal.append(clock.nowMs(), fromOtherBuild({ kind: 'action.requested', userId: 'ann', metadata }));
    }
  });
}
