import { useState } from 'react';
import type { SeriesOfMetric, SeriesPoint } from '../../../src/contract/console-series.ts';
import { Later } from '../Later.tsx';
import { ChartFrame, laterChart } from './ChartFrame.tsx';
import { sinceWords, stepWords, timeWords } from './point-words.ts';
import type { Limits } from './series-plot.ts';

const PLOT = laterChart(() => import('./SeriesPlot.tsx').then((chart) => chart.SeriesPlot));
const HEIGHT = 260;

type Props = {
  name: string;
  series: SeriesOfMetric;
  stepMs: number;
  lengthMs: number;
  limits: Limits;
  /** A value of the metric in its unit. Must be the same function as long as the unit is the same. */
  words: (value: number | null) => string;
};

/** A metric over time as a line, with the range in which it usually is. Parts without data leave a gap. */
export function SeriesChart({ name, series, stepMs, lengthMs, limits, words }: Props) {
  const { points } = series;
  const [index, setIndex] = useState<number | null>(null);
  const hasUsual = points.some(({ usual }) => usual != null);
  const time = ({ at }: SeriesPoint) => timeWords(at, { stepMs, lengthMs });
  const point = index === null ? undefined : points[index];
  const known = points.map(({ at, value }) => ({ at, isKnown: value !== null }));
  const since = sinceWords(known, { stepMs, lengthMs });
  return (
    <ChartFrame
      summary={seriesSummary({ name, points, words, time })}
      height={HEIGHT}
      className="series-chart"
      readout={point === undefined ? '' : `${time(point)}: ${words(point.value)}${usualWords(point, words)}`}
      legend={
        <ul className="legend">
          <li>
            <span className="swatch line" aria-hidden="true" /> Value per {stepWords(stepMs)}
          </li>
          {hasUsual && (
            <li>
              <span className="swatch band" aria-hidden="true" /> Usual range at this time of day
            </li>
          )}
          {since !== undefined && <li>{since}</li>}
        </ul>
      }
      table={() => ({
        columns: [
          { name: 'Time' },
          { name: 'Value', isNumber: true },
          { name: 'Usual range', isNumber: true },
          { name: 'Samples', isNumber: true },
        ],
        rows: points
          .map((each) => [time(each), words(each.value), rangeWords(each, words), String(each.sampleSize)])
          .toReversed(),
      })}
    >
      <Later
        script={PLOT}
        loading={null}
        props={{ points, stepMs, limits, words, height: HEIGHT, onPoint: setIndex }}
      />
    </ChartFrame>
  );
}

type Words = Props['words'];

function usualWords(point: SeriesPoint, words: Words): string {
  return point.usual == null ? '' : ` · usually ${rangeWords(point, words)}`;
}

function rangeWords({ usual }: SeriesPoint, words: Words): string {
  if (usual == null) return '–';
  return usual.low === usual.high ? words(usual.low) : `${words(usual.low)} to ${words(usual.high)}`;
}

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
