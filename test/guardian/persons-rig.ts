import { FOUR_WEEKS_MS, LOOKED_AT } from '../../src/guardian/insights/facts.ts';
import type { Finding } from '../../src/guardian/insights/finding.ts';
import { rubberStamping } from '../../src/guardian/insights/rubber-stamping.ts';
import { type Chance, createChance } from '../bench/simulation/chance.ts';
import { drawPrompt, type Kind, type Person } from './persons.ts';
import { type Asked, createMemoryHistory, WORK_MS } from './persons-history.ts';

const DAY_MS = 24 * 3_600_000;
/** A Monday, at nine. */
const START_MS = Date.parse('2026-01-05T09:00:00Z');
/** No person here answers more. */
const MOST_A_DAY = 40;

/** `day`: how many working days passed before it, from 0 on. */
export type Told = { day: number; finding: Finding };

/**
 * Lets a person answer prompts on working days, and looks at what is found after every answer and at the end of every day. Ends with
 * the first finding above `info` from `fromDay` on, or else after so many days.
 */
export function liveUntilTold(kind: Kind, options: { seed: number; days: number; fromDay?: number }): Told | undefined {
  const { seed, days, fromDay = 0 } = options;
  const history = createMemoryHistory();
  const life = createLife(kind, seed);
  for (let day = 0; day < days; day += 1) {
    const { startMs, asked } = life.next();
    history.add(asked);
    const finding = day < fromDay ? undefined : toldOn(history, startMs);
    if (finding !== undefined) return { day, finding };
  }
  return undefined;
}

/** A person's working days, each with its prompts and answers. */
export function createLife(kind: Kind, seed: number): { next(): { startMs: number; asked: Asked[] } } {
  const chance = createChance(seed, ...[...kind.name].map((letter) => letter.charCodeAt(0)));
  const person = kind.draw(chance);
  const allowed = new Set<string>();
  let day = 0;
  return {
    next() {
      const startMs = START_MS + (7 * Math.floor(day / 5) + (day % 5)) * DAY_MS;
      const asked = liveDay({ person, chance, allowed, day, startMs });
      day += 1;
      return { startMs, asked };
    },
  };
}

type Day = { person: Person; chance: Chance; allowed: Set<string>; day: number; startMs: number };

function liveDay({ person, chance, allowed, day, startMs }: Day): Asked[] {
  const count = person.promptsOfDay();
  const denied = person.deniesOneADay === true ? chance.whole(1, count) : 0;
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const prompt = drawPrompt(chance, allowed);
    const said = person.answer(prompt, day);
    const reply = number === denied && said !== null ? { ...said, isAllowed: false } : said;
    const atMs = startMs + Math.floor((WORK_MS * number) / (count + 1));
    const asked = { prompt, reply, atMs, number, isRepeat: allowed.has(prompt.digest) };
    if (reply?.isAllowed === true) allowed.add(prompt.digest);
    return asked;
  });
}

/** The first finding above `info` of a day, as a look after each answer would find it. */
function toldOn(history: ReturnType<typeof createMemoryHistory>, startMs: number): Finding | undefined {
  const latest = history.answers({
    afterMs: startMs + WORK_MS - FOUR_WEEKS_MS,
    limit: LOOKED_AT.answers + MOST_A_DAY,
  });
  const today = latest.filter(({ decidedAtMs }) => decidedAtMs >= startMs).length;
  for (let after = today - 1; after >= 0; after -= 1) {
    const [finding] = rubberStamping({ answers: latest.slice(after, after + LOOKED_AT.answers) });
    if (finding !== undefined) return finding;
  }
  return undefined;
}
