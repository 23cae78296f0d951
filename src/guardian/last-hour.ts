const HOUR_MS = 3_600_000;
const MOST_VALUES = 60;

/** Mean of the values of the last hour, this one included; of the latest 60 where there are more: a moving average, its length our own. */
export function createLastHour(): (observation: { atMs: number; value: number }) => number {
  const recent: { atMs: number; value: number }[] = [];
  return (observation) => {
    recent.push(observation);
    while (recent.length > MOST_VALUES || observation.atMs - (recent[0] ?? observation).atMs >= HOUR_MS) recent.shift();
    return recent.reduce((sum, { value }) => sum + value, 0) / recent.length;
  };
}
