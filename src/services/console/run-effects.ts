import type { Run } from '../../contract/run.ts';
import type { Deed, Done } from '../../domain/catalogue/definition.ts';
import { quoted } from '../../domain/catalogue/window-words.ts';
import type { RunMember } from '../../store/records/runs.ts';
import { visible } from '../prompt-words.ts';

/** Places of one run that are told. */
const MOST_PLACES = 8;
/** Things of one kind at one place that are named; more are counted. What the person allowed is always named. */
const MOST_NAMED = 3;

type Told = Done & { isAllowed: boolean };

/** What the actions of a run did, oldest first, by place: `typed 154 characters`, `clicked “Send” (you allowed)`. */
export function effectsOf(members: readonly Pick<RunMember, 'done' | 'isAllowed'>[]): Run['effects'] {
  const told = members.flatMap(({ done, isAllowed }): Told[] => (done === undefined ? [] : [{ ...done, isAllowed }]));
  return [...Map.groupBy(told, ({ place }) => (place.startsWith('/') ? place : place.toLowerCase()))]
    .slice(0, MOST_PLACES)
    .map(([place, here]) => ({
      // An app has its own form of the name that a requester wrote.
      place: visible(here.at(-1)?.place ?? place),
      did: [...Map.groupBy(here, ({ did }) => did)].flatMap(([did, ofKind]) => wordsOf(did, ofKind)),
    }));
}

function wordsOf(did: Deed, told: readonly Told[]): string[] {
  const { one, many, isSum = false } = WORDS[did];
  if (isSum) {
    const words = many(told.reduce((sum, { what }) => sum + Number(what), 0));
    return [told.some(({ isAllowed }) => isAllowed) ? allowedWords(words) : words];
  }
  const things = [...Map.groupBy(told, ({ what }) => what)];
  const allowed = things.filter(([, same]) => same.some(({ isAllowed }) => isAllowed));
  const others = things.filter(([, same]) => !same.some(({ isAllowed }) => isAllowed));
  const count = others.reduce((sum, [, same]) => sum + same.length, 0);
  const unasked =
    others.length > MOST_NAMED ? [many(count)] : others.map(([what, same]) => `${one(what)}${times(same.length)}`);
  return [...unasked, ...allowed.map(([what, same]) => allowedWords(`${one(what)}${times(same.length)}`))];
}

const allowedWords = (words: string) => `${words} (you allowed)`;

type Words = { one: (what: string) => string; many: (count: number) => string; isSum?: boolean };

/** `what` may be an app's own words, so it is quoted. */
const name = (what: string) => quoted(visible(what));
const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
const plain = (verb: string, noun: string): Words => ({
  one: (what) => (what === '' ? verb : `${verb} ${name(what)}`),
  many: (count) => `${verb} ${counted(count, noun)}`,
});

const WORDS: Record<Deed, Words> = {
  typed: { ...plain('typed', 'character'), isSum: true },
  copied: { ...plain('put on it', 'character'), isSum: true },
  filled: plain('filled', 'field'),
  clicked: plain('clicked', 'control'),
  pressed: plain('pressed', 'key'),
  dragged: plain('dragged', 'object'),
  chose: plain('chose', 'menu item'),
  saved: plain('saved', 'file'),
  opened: plain('opened', 'file'),
  quit: plain('quit', 'time'),
  closed: plain('closed', 'window'),
  visited: plain('opened', 'address'),
  created: plain('created', 'file'),
  replaced: plain('replaced', 'file'),
  moved: { one: (what) => `moved ${name(what)}`, many: (count) => `${count} moved` },
  trashed: { one: (what) => `${name(what)} to the trash`, many: (count) => `${count} to the trash` },
  ran: plain('ran', 'script'),
};

const times = (count: number) => (count === 1 ? '' : ` ${count} times`);
