import { doing } from '../../contract/doing.ts';
import { countedAs } from '../../domain/catalogue.ts';
import { counted, REQUESTER } from '../insights/finding.ts';
import { probabilityOfAtLeast } from '../statistics/distributions.ts';
import {
  amountsOf,
  daysOfNewApps,
  type Exceeded,
  exceeded,
  inputsAtNight,
  isYoung,
  type Measure,
  mostOf,
  type Past,
  type RequesterDay,
  total,
} from './usual-days.ts';

/** A program that is new for a requester, with its questions to the person on that day. `isFresh`: its first call was on that day or the day before. */
export type NewProgram = { name: string; isFresh: boolean; asked: number; high: number; captured: number };

/** One requester on one day. `exceeded`: its amounts that are far beyond its usual ones. `signs`: the reasons to tell of it. */
export type RequesterLine = {
  userId: string;
  day: RequesterDay;
  past: Past;
  program: NewProgram | null;
  exceeded: readonly Exceeded[];
  signs: readonly Sign[];
  /** What it did, without its name: `21 requests and 5 looks at the screen`. */
  did: string;
  words: string;
};

/** A reason to tell of a requester. */
export type Sign = Measure | 'first actions at high risk' | 'another program' | 'at night' | 'one more app each day';

/** A requester that is new and does little but high-risk actions, and another program that does. */
const AT_HIGH_RISK = { least: 5, share: 0.5 };
/** Another program that hardly asks for anything but the screen. */
const OF_SCREEN = { least: 10, share: 0.8 };
/** How improbable its mix must be by the earlier questions of the requester: a one-sided binomial test. */
const IMPROBABLE = 0.001;
const FAILING = { least: 5, share: 0.3 };

/** The line of a requester: today against its own days before. */
export function requesterLine(
  day: RequesterDay,
  of: { past: Past; programs: readonly NewProgram[]; knownTypes: ReadonlySet<string>; when: 'today' | 'yesterday' },
): RequesterLine {
  const { past, programs, when } = of;
  const strange = programs.find((each) => isStrange(each, past));
  const program = strange ?? programs[0] ?? null;
  const isFresh = programs.some((each) => each.isFresh);
  const found = exceeded(amountsOf(day), past, isFresh);
  const signs: Sign[] = [
    ...found.map(({ measure }) => measure),
    ...(isYoung(past) && isAtHighRisk(total(day, 'high'), total(day, 'requested'))
      ? ['first actions at high risk' as const]
      : []),
    ...(strange === undefined ? [] : ['another program' as const]),
    ...(inputsAtNight(day, past) > 0 ? ['at night' as const] : []),
    ...(daysOfNewApps(amountsOf(day), past) > 0 ? ['one more app each day' as const] : []),
  ];
  const did = inAList(partsOf(day, past, past.seen === 0 ? undefined : of.knownTypes));
  const words = `${whoOf({ past, program })}: ${did}, ${when}`;
  return { userId: day.userId, day, past, program, exceeded: found, signs, did, words };
}

/** The most that a requester did on one of its days before, in words. */
export function wordsBefore(past: Past): string {
  const most = (measure: Measure) => mostOf(measure, past);
  const requested = most('requested');
  if (past.seen === 0) return 'nothing';
  if (requested === null) return `seen on ${counted(past.seen, 'day')} so far`;
  const parts = [
    counted(requested, 'request'),
    counted(most('high') ?? 0, 'high-risk action'),
    counted(most('novel') ?? 0, 'new target'),
  ];
  return `on ${counted(past.days.length, 'day')} up to ${parts.join(', ')} a day`;
}

function isAtHighRisk(high: number, all: number): boolean {
  return high >= AT_HIGH_RISK.least && high >= AT_HIGH_RISK.share * all;
}

function isStrange({ asked, high, captured }: NewProgram, past: Past): boolean {
  const isImprobable = (times: number, of: Parameters<typeof usualShare>[0]) =>
    probabilityOfAtLeast(times, { trials: asked, probability: usualShare(of, past) }) < IMPROBABLE;
  if (isAtHighRisk(high, asked) && isImprobable(high, 'high')) return true;
  return (
    captured >= OF_SCREEN.least && captured >= OF_SCREEN.share * asked && isImprobable(captured, 'promptedForScreen')
  );
}

/** The share of some questions among all that the person was asked. High-risk actions nearly always ask; of the looks at the screen many do not. */
function usualShare(asked: 'high' | 'promptedForScreen', { days }: Past): number {
  const sum = (of: typeof asked | 'prompted') => days.reduce((all, day) => all + day[of], 0);
  const [times, prompted] = [sum(asked), sum('prompted')];
  return (Math.min(times, prompted) + 1) / (prompted + 2);
}

/** "assistant, from a program not seen before (Terminal)". */
function whoOf({ past, program }: Pick<RequesterLine, 'past' | 'program'>): string {
  const from = program === null ? '' : `, from a program not seen before (${program.name})`;
  const first = past.seen === 0 ? ', not seen before' : '';
  return `${REQUESTER}${first}${from}`;
}

function partsOf(day: RequesterDay, past: Past, knownTypes: ReadonlySet<string> | undefined): string[] {
  const amounts = amountsOf(day);
  const firsts =
    knownTypes && day.types.filter(({ type }) => type !== '' && !knownTypes.has(type)).map(({ type }) => type);
  const failed = total(day, 'failed');
  const ended = failed + total(day, 'succeeded');
  const parts = [
    ...(amounts.high > 0 ? [highWords(day, amounts.high)] : []),
    ...(amounts.novel > 0 ? [novelWords(day, amounts.novel)] : []),
    ...(amounts.inputs > 0 ? [inputWords(amounts.inputs)] : []),
    ...(inputsAtNight(day, past) > 0 ? [`${inputsAtNight(day, past)} of them at night, for the first time`] : []),
    ...(daysOfNewApps(amounts, past) > 0 ? [`access to one more app for ${daysOfNewApps(amounts, past)} days`] : []),
    ...(amounts.interrupted > 0 ? [`you took the mouse from it ${counted(amounts.interrupted, 'time')}`] : []),
    ...(amounts.captured > 0 ? [`${counted(amounts.captured, 'look')} at the screen`] : []),
    ...(firsts !== undefined && firsts.length > 0 ? [`for the first time ${inAList(firsts.map(doing))}`] : []),
    ...(failed >= FAILING.least && failed >= FAILING.share * ended ? [`${failed} of ${ended} actions failed`] : []),
  ];
  return [counted(amounts.requested, 'request'), ...parts];
}

export function inputWords(inputs: number): string {
  return inputs === 1 ? '1 click or key press' : `${inputs} clicks and key presses`;
}

function highWords({ types }: RequesterDay, high: number): string {
  const scripts = sumOf(types, 'script', 'high');
  return scripts === high ? counted(high, 'script') : counted(high, 'high-risk action');
}

function novelWords({ types }: RequesterDay, novel: number): string {
  const files = sumOf(types, 'file', 'novel');
  return files === novel
    ? `${counted(novel, 'file')} never touched before`
    : `${counted(novel, 'target')} never used before`;
}

function sumOf(types: RequesterDay['types'], what: 'script' | 'file', count: 'high' | 'novel'): number {
  return types.filter(({ type }) => countedAs(type) === what).reduce((sum, each) => sum + each[count], 0);
}

function inAList(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
