import fc from 'fast-check';
import { expect, it } from 'vitest';
import { INSIGHT_SEVERITIES } from '../../src/contract/insight-severities.ts';
import { type Context, createIds } from '../../src/services/context.ts';
import { createInsightBook } from '../../src/services/guardian/insights.ts';
import { finding } from '../guardian/insights/episodes.ts';
import { open } from '../store/rig.ts';
import { createFakeClock } from './fake-clock.ts';

const HOUR_MS = 3_600_000;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('look' as const), found: someFindings() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tell' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.nat(200) }) },
);

it('is after any restart what it would have been without one', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const [restarted, continuous] = [createPlay(), createPlay()];
      for (const each of steps) {
        restarted.take(each);
        if (each.kind !== 'restart') continuous.take(each);
      }
      expect(restarted.told()).toEqual(continuous.told());
      expect(restarted.said()).toEqual(continuous.said());
    }),
    { numRuns: 6 },
  );
});

it('lists the warnings that are given now: those that are not over, read or not', () => {
  const { book, clock } = newBook();
  book.note([finding('warning', 'read'), finding('high', 'open'), finding('warning', 'over'), finding('info', 'fact')]);
  book.acknowledge(book.list().find((each) => each.finding.subject === 'read')?.id ?? '');
  expect([...book.raised()].toSorted()).toEqual(['open', 'over', 'read']);
  clock.advance(60_000);
  book.note([finding('warning', 'read'), finding('high', 'open'), finding('info', 'fact')]);
  expect([...book.raised()].toSorted()).toEqual(['open', 'read']);
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function newBook() {
  const clock = createFakeClock();
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  const context: Context = { store: open(), clock, log, newId: createIds(clock) };
  return { ...context, clock, book: createInsightBook(context) };
}

/** Ids are told apart by when they came, so that two plays can be compared. */
function createPlay() {
  const { clock, store, ...others } = newBook();
  const ids = new Map<string, number>();
  const newId = (prefix: string) => {
    const id = others.newId(prefix);
    ids.set(id, ids.size);
    return id;
  };
  const context: Context = { ...others, store, clock, newId };
  let book = createInsightBook(context);
  return {
    take(each: Step): void {
      clock.advance(60_000);
      if (each.kind === 'look') book.note(each.found.map(({ subject, severity }) => finding(severity, subject)));
      if (each.kind === 'tell') book.tellNext();
      if (each.kind === 'acknowledge') book.acknowledge(book.list()[each.which]?.id ?? '');
      if (each.kind === 'restart') book = createInsightBook(context);
      if (each.kind === 'pass') clock.advance(each.hours * HOUR_MS);
      if (each.kind === 'restart') clock.setWallClock(clock.nowMs() - 60_000);
    },
    said: () => new Set(book.list().map(({ id, ...rest }) => ({ ...rest, number: ids.get(id) }))),
    told: () =>
      store.journal
        .readAfter(0, 1_000)
        .filter(({ kind }) => kind === 'insight.told')
        .map(({ atMs, metadata }) => ({ atMs, ...metadata, insightId: ids.get(String(metadata?.insightId)) })),
  };
}

function someFindings() {
  const subject = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const severity = fc.constantFrom(...INSIGHT_SEVERITIES);
  return fc.uniqueArray(fc.record({ subject, severity }), { maxLength: 4, selector: (each) => each.subject });
}

it('tells of a warning that was over when the person acknowledged it, once it returns', () => {
  const { book } = newBook();
  book.note([finding('warning', 'returns')]);
  book.note([]);
  const [over] = book.list();
  expect(book.acknowledge(over?.id ?? '')).toMatchObject({ status: 'resolved' });
  book.note([finding('warning', 'returns')]);
  expect(book.list()).toMatchObject([{ status: 'open' }]);
});
