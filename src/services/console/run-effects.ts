import type { Run } from '../../contract/run.ts';
import type { Deed, Done } from '../../domain/catalogue/definition.ts';
import { pathWords, quoted } from '../../domain/catalogue/window-words.ts';
import type { RunMember } from '../../store/records/runs.ts';
import { visible } from '../prompt-words.ts';

/** Places of one run that are told. */
const MOST_PLACES = 8;
/** Things of one kind at one place that are named; more are counted. What the person allowed is always named. */
const MOST_NAMED = 3;

type Told = Done & { isAllowed: boolean };
/** Words about some of the things done, and how much they matter. */
type Phrase = { words: string; rank: number };

/**
 * What the actions of a run did, by place: `clicked “Send” (you allowed)`, `typed 154 characters`. What the person allowed comes first, then
 * what changes most; equals stay in the order in which they were done. `members`: oldest first.
 */
export function effectsOf(members: readonly Pick<RunMember, 'done' | 'isAllowed'>[]): Run['effects'] {
  const told = members.flatMap(({ done, isAllowed }): Told[] => (done === undefined ? [] : [{ ...done, isAllowed }]));
  return [...Map.groupBy(told, placeKey).values()]
    .map((here) => ({
      place: placeWords(here.at(-1)),
      phrases: [...Map.groupBy(here, ({ did, isAllowed }) => `${did} ${isAllowed}`).values()]
        .flatMap(phrasesOf)
        .toSorted(byRank),
    }))
    .toSorted(({ phrases: [one] }, { phrases: [other] }) => byRank(one, other))
    .slice(0, MOST_PLACES)
    .map(({ place, phrases }) => ({ place, did: phrases.map(({ words }) => words) }));
}

function placeKey({ place, machine = '' }: Told): string {
  return `${machine}\n${place.startsWith('/') ? place : place.toLowerCase()}`;
}

/** An app has its own form of the name that a requester wrote. */
function placeWords(told: Told | undefined): string {
  const place = visible(told?.place ?? '');
  return told?.machine === undefined ? place : `On ${told.machine}, ${place}`;
}

const byRank = (one: Phrase | undefined, other: Phrase | undefined) => (one?.rank ?? 0) - (other?.rank ?? 0);

/** Things of one kind, all allowed by the person or none. */
function phrasesOf(told: readonly Told[]): Phrase[] {
  const [first] = told;
  if (first === undefined) return [];
  const { did, isAllowed } = first;
  const { isSum = false } = WORDS[did];
  const rank = DEEDS.indexOf(did) - (isAllowed ? DEEDS.length : 0);
  const end = isAllowed ? ' (you allowed)' : '';
  const texts = isSum
    ? [
        countedWords(
          did,
          told.reduce((sum, { what }) => sum + Number(what), 0),
        ),
      ]
    : [...Map.groupBy(told, whereWords)].flatMap(([where, same]) =>
        namedWords(did, same).map((words) => `${words}${where}`),
      );
  return texts.map((words) => ({ words: `${words}${end}`, rank }));
}

/** The window that got it, or the folder that it went into. */
function whereWords({ did, window, to }: Told): string {
  if (window !== undefined) return ` in ${name(window)}`;
  return did === 'moved' && to !== undefined ? ` to ${visible(pathWords(to))}` : '';
}

/** The verb once for all its things: `moved “a.txt” and “b.txt”`. */
function namedWords(did: Deed, told: readonly Told[]): string[] {
  const { verb, nameless, after = '', nameOf = name } = WORDS[did];
  const thingOf = ({ what, to = '' }: Told) => (did === 'renamed' ? `${name(what)} to ${name(to)}` : nameOf(what));
  const things = [...Map.groupBy(told, thingOf)];
  const [unnamed, named] = [
    things.filter(([, [one]]) => one?.what === ''),
    things.filter(([, [one]]) => one?.what !== ''),
  ];
  const alone = nameless === undefined ? verb : `${verb} ${nameless}`;
  const isCounted = named.length > MOST_NAMED && told[0]?.isAllowed !== true;
  const names = named.map(([thing, same]) => `${thing}${times(same.length)}`);
  return [
    ...unnamed.map(([, same]) => `${alone}${after}${times(same.length)}`),
    ...(isCounted ? [countedWords(did, named.flatMap(([, same]) => same).length)] : []),
    ...(isCounted || names.length === 0 ? [] : [`${verb} ${LIST.format(names)}${after}`]),
  ];
}

function countedWords(did: Deed, count: number): string {
  const { verb, noun, after = '' } = WORDS[did];
  return `${verb} ${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}${after}`;
}

const LIST = new Intl.ListFormat('en-GB');

/** `what` may be an app's own words, so it is quoted. */
const name = (what: string) => quoted(visible(what));

/** A key or a chord as it stands on the keys: `Ctrl+S`. One that could be read as other words is quoted. */
function keysName(keys: string): string {
  if (!/^[\p{L}\p{N}]+(?:\+[\p{L}\p{N}]+)*$/u.test(keys)) return name(keys);
  return keys.replaceAll(/(?<=^|\+)\p{L}/gu, (letter) => letter.toUpperCase());
}

type Words = {
  verb: string;
  noun: string;
  /** The words for a thing that has no name of its own. */
  nameless?: string;
  after?: string;
  nameOf?: (what: string) => string;
  isSum?: true;
};

/** The words for each kind of deed. The kinds stand in the order in which a run names them: the greatest change first. */
const WORDS: Record<Deed, Words> = {
  ran: { verb: 'ran', noun: 'script' },
  moved: { verb: 'moved', noun: 'item' },
  renamed: { verb: 'renamed', noun: 'item' },
  trashed: { verb: 'put', noun: 'item', after: ' into the trash' },
  replaced: { verb: 'replaced', noun: 'file' },
  saved: { verb: 'saved', noun: 'file' },
  created: { verb: 'created', noun: 'file' },
  clicked: { verb: 'clicked', noun: 'control', nameless: 'a control without a name' },
  chose: { verb: 'chose', noun: 'menu item' },
  dragged: { verb: 'dragged', noun: 'object', nameless: 'an object without a name' },
  pressed: { verb: 'pressed', noun: 'key', nameOf: keysName },
  filled: { verb: 'filled', noun: 'field', nameless: 'a field without a name' },
  typed: { verb: 'typed', noun: 'character', isSum: true },
  copied: { verb: 'put on it', noun: 'character', isSum: true },
  visited: { verb: 'opened', noun: 'address' },
  opened: { verb: 'opened', noun: 'file', nameless: 'the app' },
  closed: { verb: 'closed', noun: 'window', nameless: 'a window without a title' },
  quit: { verb: 'quit', noun: 'app', nameless: 'the app' },
};
const DEEDS = Object.keys(WORDS);

const times = (count: number) => (count === 1 ? '' : ` ${count} times`);
