import { parseArgs } from 'node:util';
import { incidentsFrom } from './simulation/incidents.ts';
import { simulate } from './simulation/simulate.ts';

process.env.TZ = 'UTC';
const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, weeks: { type: 'string', default: '26' } },
});
const weeks = Number(options.weeks);
const cpu = process.cpuUsage();
const started = performance.now();
const result = await simulate({ seed: Number(options.seed), weeks: weeks + 2, incidents: incidentsFrom(weeks * 7) });
const used = process.cpuUsage(cpu);
console.log(
  `${result.events} events, ${result.minutes} minutes; ${((used.user + used.system) / 1e6).toFixed(0)} s CPU, ${((performance.now() - started) / 1000).toFixed(0)} s; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
);
for (const w of result.warnings)
  console.log(
    new Date(w.atMs).toISOString().slice(0, 16),
    w.atMs < result.startMs + weeks * 7 * 864e5 ? 'F' : 'I',
    w.metricType,
    w.window,
    w.classification,
    w.zScore.toFixed(2),
    w.current?.toFixed(2),
    w.baseline.kind,
    w.baseline.windows,
    w.baseline.median?.toFixed(2),
    w.severity,
  );
