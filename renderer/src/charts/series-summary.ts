import type { SeriesPoint } from '../../../src/contract/console-series.ts';

type Facts = {
  name: string;
  points: readonly SeriesPoint[];
  words: (value: number | null) => string;
  time: (point: SeriesPoint) => string;
};

/** The chart of a metric in sentences: the latest value, the extremes, and how often it was out of its usual range. */
export function seriesSummary(facts: Facts): string {
  const known = facts.points.filter(({ value }) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return `${facts.name}: there is no data in this window yet.`;
  return `${facts.name}. ${extremesSentence(facts, known, last)}${usualSentence(known)}`;
}

function extremesSentence({ words, time }: Facts, known: readonly SeriesPoint[], last: SeriesPoint): string {
  if (known.length === 1) return `The only value is ${words(last.value)} (${time(last)}).`;
  const ordered = known.toSorted((one, other) => Number(one.value) - Number(other.value));
  const [least, most] = [ordered[0] ?? last, ordered.at(-1) ?? last];
  if (least.value === most.value) return `It was ${words(last.value)} all the time.`;
  return `Lowest ${words(least.value)} (${time(least)}), highest ${words(most.value)} (${time(most)}), latest ${words(last.value)}.`;
}

function usualSentence(known: readonly SeriesPoint[]): string {
  const compared = known.filter(({ usual }) => usual != null);
  if (compared.length === 0) return ' There are not enough earlier days to say what is usual.';
  const outside = compared.filter(({ value, usual }) => {
    const number = Number(value);
    return usual != null && (number < usual.low || number > usual.high);
  });
  if (outside.length === 0) return ' Every value is within its usual range.';
  return ` ${outside.length} of ${compared.length} values are outside their usual range.`;
}
