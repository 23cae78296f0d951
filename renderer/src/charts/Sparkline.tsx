import type { SeriesPoint } from '../../../src/contract/console-series.ts';

const WIDTH = 160;
const HEIGHT = 34;
const PAD = 3;

type Props = { points: readonly Pick<SeriesPoint, 'value'>[]; label: string };

/** The course of a metric as a small line. Parts without data leave a gap; a value alone is a dot. */
export function Sparkline({ points, label }: Props) {
  const values = points.flatMap(({ value }) => value ?? []);
  const most = Math.max(...values, Number.EPSILON);
  const step = (WIDTH - 2 * PAD) / Math.max(1, points.length - 1);
  const x = (index: number) => PAD + index * step;
  const y = (value: number) => HEIGHT - PAD - (Math.max(0, value) / most) * (HEIGHT - 2 * PAD);
  const last = points.findLastIndex(({ value }) => value !== null);
  const lastValue = points[last]?.value ?? null;
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line className="sparkline-base" x1={PAD} x2={WIDTH - PAD} y1={HEIGHT - PAD} y2={HEIGHT - PAD} />
      {runsOf(points).map(({ start, values }) => (
        <polyline key={start} points={values.map((value, index) => `${x(start + index)},${y(value)}`).join(' ')} />
      ))}
      {lastValue !== null && <circle cx={x(last)} cy={y(lastValue)} r={2.2} />}
    </svg>
  );
}

type Run = { start: number; values: number[] };

/** The stretches of points that have a value. */
function runsOf(points: Props['points']): Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (const [index, { value }] of points.entries()) {
    if (value === null) {
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { start: index, values: [] };
      runs.push(open);
    }
    open.values.push(value);
  }
  return runs;
}
