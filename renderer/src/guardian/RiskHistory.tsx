import type { GuardianDashboard } from '../../../src/contract/risk.ts';

type History = GuardianDashboard['risk']['history'];

const WIDTH = 240;
const HEIGHT = 36;
const MOST = 100;

/** The score of the latest windows as bars, oldest first. A window in which the daemon was off has no bar. */
export function RiskHistory({ history }: { history: History }) {
  const step = WIDTH / Math.max(1, history.length);
  const known = history.flatMap(({ score }) => score ?? []);
  // One score is the score of now, which is told in words.
  if (known.length < 2) return null;
  const label = `Risk over time: ${known.map(Math.round).join(', ')}, the latest score last`;
  return (
    <svg className="risk-history" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {history.map(({ at, score }, index) => {
        if (score === null) return null;
        const height = Math.max(1, (score / MOST) * HEIGHT);
        return <rect key={at} x={index * step + 1} y={HEIGHT - height} width={step - 2} height={height} rx={1} />;
      })}
    </svg>
  );
}
