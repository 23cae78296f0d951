import { expect, test } from 'vitest';
import { type NewProgram, requesterLine, wordsBefore } from '../../../src/guardian/requesters/requester-line.ts';
import { NO_PAST, type Past, pastAfter } from '../../../src/guardian/requesters/usual-days.ts';
import { dayOf } from './days.ts';

/** Twenty days with thirty requests, of which the person was asked about ten: six looks at the screen, one script. */
const USUAL = dayOf({
  ReadFile: { requested: 20, novel: 1, succeeded: 20 },
  TakeScreenshot: { requested: 6, captured: 6, prompted: 6 },
  QuitApp: { requested: 3, prompted: 3 },
  RunScript: { requested: 1, high: 1, prompted: 1 },
});
const KNOWN: Past = Array.from({ length: 20 }).reduce<Past>((past) => pastAfter(past, USUAL, false), NO_PAST);
const knownTypes = new Set(['ReadFile', 'TakeScreenshot', 'QuitApp', 'RunScript']);

function line(day = USUAL, { past = KNOWN, program = null }: { past?: Past; program?: NewProgram | null } = {}) {
  return requesterLine(day, { past, programs: program === null ? [] : [program], knownTypes, when: 'today' });
}

const program = (some: Partial<NewProgram>) => ({
  name: 'curl',
  isFresh: false,
  asked: 10,
  high: 0,
  captured: 0,
  ...some,
});

test('a usual day has no sign', () => {
  expect(line().signs).toEqual([]);
  expect(line().words).toBe(
    '{requester}: 30 requests, 1 script, 1 file never touched before and 6 looks at the screen, today',
  );
});

test('the line says the program, the scripts and the files that are new', () => {
  const day = dayOf({ ReadFile: { requested: 300, novel: 300 }, RunScript: { requested: 8, high: 8, prompted: 8 } });
  const told = line(day, { program: program({ asked: 8, high: 8 }) });
  expect(told.words).toBe(
    '{requester}, from a program not seen before (curl): 308 requests, 8 scripts and 300 files never touched before, today',
  );
  expect(told.signs).toEqual(['requested', 'high', 'novel', 'another program']);
});

test('the line names kinds of actions that are new to the requester, other targets, and failures in number', () => {
  const day = dayOf({
    MoveFile: { requested: 3, high: 1, novel: 1 },
    OpenApp: { requested: 9, novel: 1, failed: 6, succeeded: 3 },
  });
  expect(line(day).words).toBe(
    '{requester}: 12 requests, 1 high-risk action, 2 targets never used before, for the first time move file and open app and 6 of 9 actions failed, today',
  );
});

test.each([
  ['a new requester that does little but high-risk actions', { requested: 10, high: 5 }, NO_PAST, true],
  ['one that does much besides', { requested: 11, high: 5 }, NO_PAST, false],
  ['one that does few', { requested: 4, high: 4 }, NO_PAST, false],
  ['one that has been known for long', { requested: 10, high: 5 }, KNOWN, false],
])('%s is a sign: %#', (_what, counts, past, isSign) => {
  const { signs } = line(dayOf({ RunScript: counts }), { past });
  expect(signs.includes('first actions at high risk')).toBe(isSign);
});

test.each([
  ['asks for scripts alone', { asked: 8, high: 8 }, true],
  ['asks for four of them', { asked: 4, high: 4 }, false],
  ['asks for what its requester always asked for', { asked: 20, high: 2, captured: 12 }, false],
  ['asks for the screen alone', { asked: 18, captured: 18 }, true],
  ['asks for the screen as its requester does', { asked: 10, captured: 8 }, false],
])('another program that %s is a sign: %#', (_what, asked, isSign) => {
  expect(line(USUAL, { program: program(asked) }).signs).toEqual(isSign ? ['another program'] : []);
});

test('another program that asks for the screen alone is a sign, however often its requester looks without asking', () => {
  const looking = dayOf({ DescribeScreen: { requested: 30, captured: 30 }, QuitApp: { requested: 9, prompted: 9 } });
  const past = [1, 2, 3, 4].reduce<Past>((before) => pastAfter(before, looking, false), NO_PAST);
  expect(line(looking, { past, program: program({ asked: 20, captured: 20 }) }).signs).toEqual(['another program']);
});

test('of several new programs the strange one is told, though another asked more often', () => {
  const programs = [program({ name: 'terminal', asked: 30, captured: 15 }), program({ asked: 18, captured: 18 })];
  const { signs, words } = requesterLine(USUAL, { past: KNOWN, programs, knownTypes, when: 'yesterday' });
  expect([signs, words.includes('(curl)')]).toEqual([['another program'], true]);
});

test('what a requester did before is told by its most on one day', () => {
  expect(wordsBefore(NO_PAST)).toBe('nothing');
  expect(wordsBefore(pastAfter(NO_PAST, USUAL, false))).toBe('seen on 1 day so far');
  expect(wordsBefore(KNOWN)).toBe('on 20 days up to 30 requests, 1 high-risk action, 1 new target a day');
});
