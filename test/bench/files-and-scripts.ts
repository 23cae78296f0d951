import { writeFileSync } from 'node:fs';
import { createClient } from '../../src/client/handrail.ts';
import { type FilesRig, startFilesRig } from '../e2e/files-rig.ts';
import { residentMegabytes } from '../e2e/reading-load.ts';
import { createLiveMemories, INSPECTABLE, type LiveMemories } from './live-memory.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median, quantile, timed } from './statistics.ts';

const CALLS = shortened(1_000);
const MEGABYTE = 1024 * 1024;
/** The memory is read so often in each thousand, so that its slope is that of a line and not of two points. */
const READINGS = 20;
/** A slope above this, from the first half of the readings to the second, is no longer flat. */
const FLAT_MB = 8;
/**
 * Reads go on for so long before memory is measured: V8 takes the room for its heap in steps, once.
 */
const STEADY_AFTER_MS = shortened(65_000);
/** Calls between two forced collections. */
const LIVE_CALLS = shortened(500);

/** Reads of a file of 1 MB and runs of an empty script, a thousand of each, from the HTTP call to the agent and back. */
export async function benchFilesAndScripts(report: Report): Promise<void> {
  report.heading(`ReadFile of 1 MB and RunScript of \`true\`, ${CALLS} of each, one after the other`);
  const rig = await startFilesRig({ under: '/var/tmp', environment: { HANDRAIL_RATE_LIMITS: 'off', ...INSPECTABLE } });
  const live = createLiveMemories(rig.daemon);
  try {
    await rig.allow('~/work');
    await allowScripts(rig);
    writeFileSync(rig.at('work/megabyte.txt'), 'x'.repeat(MEGABYTE));
    const read = { actionType: 'ReadFile', parameters: { path: '~/work/megabyte.txt', as: 'artifact' } };
    await reachSteadyMemory(rig, read);
    await bench({ rig, live, report }, { ...read, name: 'ReadFile of 1 MB', goalMs: 10 });
    const script = { interpreter: 'sh', script: 'true', folder: '~/work' };
    const run = { actionType: 'RunScript', parameters: script };
    await bench({ rig, live, report }, { ...run, name: 'RunScript of `true`', goalMs: 150 });
  } finally {
    await live.close();
    await rig.stop();
  }
}

async function reachSteadyMemory(rig: FilesRig, action: Pick<Work, 'actionType' | 'parameters'>): Promise<void> {
  const client = createClient({ userId: 'ann', baseUrl: rig.daemon.base });
  const endsAtMs = performance.now() + STEADY_AFTER_MS;
  while (performance.now() < endsAtMs)
    await client.act({ targetDeviceId: rig.targetDeviceId, timeoutMs: 30_000, ...action });
}

type Work = { actionType: string; parameters: Record<string, unknown>; name: string; goalMs: number };

type Bench = { rig: FilesRig; live: LiveMemories; report: Report };

async function bench({ rig, live, report }: Bench, { name, goalMs, ...action }: Work): Promise<void> {
  const client = createClient({ userId: 'ann', baseUrl: rig.daemon.base });
  const body = { targetDeviceId: rig.targetDeviceId, timeoutMs: 30_000, ...action };
  const agentPid = await rig.daemon.agentPid();
  const call = () => client.act(body);
  const first = await rig.submit(action.actionType, action.parameters);
  if (first.body.status !== 'success') throw new Error(`${name}: ${JSON.stringify(first.body)}`);
  const samples: number[] = [];
  const memory = { daemon: [] as number[], agent: [] as number[] };
  for (let reading = 0; reading < READINGS; reading += 1) {
    const each = { calls: CALLS / READINGS, warmUp: reading === 0 ? 20 : 0 };
    samples.push(...(await timed(each, call)));
    memory.daemon.push(residentMegabytes(rig.daemon.pid));
    memory.agent.push(residentMegabytes(agentPid));
  }
  const kept = await live.growth(() => timed({ calls: LIVE_CALLS, warmUp: 0 }, call));
  report.figure({ name: `${name}, p50`, value: median(samples), unit: 'ms', goal: { atMost: goalMs } });
  report.figure({ name: `${name}, p99`, value: quantile(samples, 0.99), unit: 'ms' });
  for (const [process, readings] of Object.entries(memory)) {
    const half = readings.length / 2;
    const growth = median(readings.slice(half)) - median(readings.slice(0, half));
    report.figure({
      name: `${name}: resident memory of the ${process}, second half less first half`,
      value: growth,
      unit: 'MB',
      goal: { atMost: FLAT_MB },
      note: `slope ${slopeOf(readings).toFixed(2)} MB per ${CALLS}, ${readings.at(0)} to ${readings.at(-1)} MB`,
    });
  }
  for (const [process, { megabytes, note }] of Object.entries(kept)) {
    report.figure({
      name: `${name}: memory in use by the ${process}, growth over ${LIVE_CALLS} more`,
      value: megabytes,
      unit: 'MB',
      goal: { atMost: (FLAT_MB * LIVE_CALLS) / CALLS },
      note,
    });
  }
}

/** The slope of the line of least squares, in MB over all calls. */
function slopeOf(readings: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(readings.map((_value, index) => index)), mean(readings)];
  const together = readings.reduce((sum, value, index) => sum + (index - x) * (value - y), 0);
  const alone = readings.reduce((sum, _value, index) => sum + (index - x) ** 2, 0);
  return (together / alone) * readings.length;
}

/** The person lets this requester run scripts without being asked, as no built-in profile does. */
async function allowScripts(rig: FilesRig): Promise<void> {
  const rules = [{ verdict: 'allow', actionTypes: ['RunScript'] }];
  const byLevel = { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' };
  await rig.console('/profiles', { method: 'PUT', body: { name: 'bench-scripts', byLevel, rules } });
  await rig.console('/users/ann/profile', { method: 'PUT', body: { profile: 'bench-scripts' } });
}
