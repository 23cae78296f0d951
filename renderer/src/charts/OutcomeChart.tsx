import { useState } from 'react';
import type { OutcomePoint, OutcomeSeries } from '../../../src/contract/console-series.ts';
import { Later } from '../Later.tsx';
import { addressOf, goTo } from '../pages.ts';
import { ChartFrame, laterChart } from './ChartFrame.tsx';
import { counted, OUTCOME_WORDS, OUTCOMES, outcomeSummary, totalOf } from './outcome-words.ts';
import { sinceWords, timeWords } from './point-words.ts';

const PLOT = laterChart(() => import('./OutcomePlot.tsx').then((chart) => chart.OutcomePlot));
const HEIGHT = 170;

/** Begins to load the script of the chart before its values are there. */
export const preloadOutcomePlot = PLOT.preload;

/** The actions of a day by their outcome, as stacked bars, with the prompts and the pauses. */
export function OutcomeChart({ series }: { series: OutcomeSeries }) {
  const { points, stepMs, window } = series;
  const [index, setIndex] = useState<number | null>(null);
  const point = index === null ? undefined : points[index];
  const open = (part: number) => {
    const { at } = points[part] ?? {};
    if (at !== undefined) goTo({ page: 'activity', filters: filtersOfPart(at, stepMs) });
  };
  const span = { stepMs, lengthMs: window.length };
  const time = (at: string) => timeWords(at, span);
  const known = points.map(({ at, coverage }) => ({ at, isKnown: coverage > 0 }));
  return (
    <ChartFrame
      summary={outcomeSummary(series)}
      height={HEIGHT}
      className="outcome-chart"
      readout={point === undefined ? '' : `${time(point.at)}: ${pointWords(point)}`}
      legend={<OutcomeLegend points={points} since={sinceWords(known, span)} />}
      table={() => ({
        columns: [
          { name: 'From' },
          ...OUTCOMES.map((name) => ({ name: OUTCOME_WORDS[name], isNumber: true })),
          { name: 'Prompts', isNumber: true },
          { name: 'Pauses', isNumber: true },
        ],
        rows: points.filter(isBusy).map(rowOf).toReversed(),
        hrefs: points
          .filter(isBusy)
          .map(({ at }) => addressOf({ page: 'activity', filters: filtersOfPart(at, stepMs) }))
          .toReversed(),
      })}
    >
      <Later script={PLOT} loading={null} props={{ points, stepMs, height: HEIGHT, onPoint: setIndex, onOpen: open }} />
    </ChartFrame>
  );

  function rowOf(each: OutcomePoint): string[] {
    return [time(each.at), ...[...OUTCOMES, 'prompts' as const, 'pauses' as const].map((name) => String(each[name]))];
  }
}

function OutcomeLegend({ points, since }: { points: readonly OutcomePoint[]; since: string | undefined }) {
  return (
    <ul className="legend">
      {OUTCOMES.map((name) => (
        <li key={name}>
          <span className={`swatch ${name}`} aria-hidden="true" /> {OUTCOME_WORDS[name]} <b>{totalOf(points, name)}</b>
        </li>
      ))}
      <li>
        <span className="swatch prompts" aria-hidden="true" /> Prompts <b>{totalOf(points, 'prompts')}</b>
      </li>
      <li>
        <span className="swatch pauses" aria-hidden="true" /> Pauses <b>{totalOf(points, 'pauses')}</b>
      </li>
      {since !== undefined && <li>{since}</li>}
    </ul>
  );
}

/** The filters of the activity for one part of the chart. */
function filtersOfPart(at: string, stepMs: number): URLSearchParams {
  const since = Date.parse(at);
  return new URLSearchParams({
    since: new Date(since).toISOString(),
    until: new Date(since + stepMs - 1).toISOString(),
  });
}

function isBusy(point: OutcomePoint): boolean {
  return OUTCOMES.some((name) => point[name] > 0) || point.prompts > 0 || point.pauses > 0;
}

function pointWords(point: OutcomePoint): string {
  const parts = OUTCOMES.filter((name) => point[name] > 0).map(
    (name) => `${point[name]} ${OUTCOME_WORDS[name].toLowerCase()}`,
  );
  const prompts = point.prompts > 0 ? [counted(point.prompts, 'prompt')] : [];
  const pauses = point.pauses > 0 ? [counted(point.pauses, 'pause')] : [];
  const all = [...parts, ...prompts, ...pauses];
  return all.length === 0 ? 'nothing' : all.join(' · ');
}
