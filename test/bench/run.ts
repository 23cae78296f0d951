import { until } from '../desktop/processes.ts';
import { startRig } from '../desktop/rig.ts';
import { type Console, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { residentMegabytes } from '../e2e/reading-load.ts';
import { benchActions } from './actions.ts';
import { benchConnections } from './connections.ts';
import { benchCost } from './cost.ts';
import { benchDecisionPath } from './decision.ts';
import { benchEndings } from './endings.ts';
import { benchFilesAndScripts } from './files-and-scripts.ts';
import { benchFloor } from './floor.ts';
import { benchManyFiles } from './many-files.ts';
import { benchMemory } from './memory.ts';
import { benchPrompt } from './prompt.ts';
import { benchEmergencyStop, benchFlood } from './rail.ts';
import { createReport, type Report } from './report.ts';
import { benchDescriptions, benchScreenshots } from './screen.ts';
import { median } from './statistics.ts';
import { benchStopUnderLoad } from './stop.ts';
import { benchTasks } from './tasks.ts';

/**
 * `npm run bench`: the operations that must be fast, from one run on a real desktop. Figures are medians; where other work
 * shares the machine, the ratios tell more than the milliseconds.
 */
const report = createReport();
const rig = await startRig();
try {
  await benchStart(report);
  const daemon = await startDaemonProcess({ ...rig.env, HANDRAIL_RATE_LIMITS: 'off' });
  try {
    const person = await daemon.signIn();
    await trust(daemon, person);
    await benchActions(daemon, report);
    await benchFloor(daemon, report);
    await benchScreenshots(daemon, rig, report);
    await benchDescriptions(daemon, rig, report);
    await reportMemory(daemon, report);
    await benchDecisionPath(report);
    await benchEmergencyStop(daemon, person, report);
    await benchPrompt(daemon, await freshCode(daemon, person), report);
    await benchFlood(daemon, report);
  } finally {
    await daemon.stop();
  }
  await benchTasks(report);
  await benchConnections(rig.env, report);
  await benchCost(rig.env, report);
  await benchMemory(report);
  await benchStopUnderLoad(report);
  await benchEndings(report);
  await benchFilesAndScripts(report);
  await benchManyFiles(report);
} finally {
  await rig.close();
}
console.log(report.missed().length === 0 ? '\nevery goal was met' : `\nmissed: ${report.missed().join('; ')}`);
process.exitCode = report.missed().length === 0 ? 0 : 1;

async function benchStart(to: Report): Promise<void> {
  to.heading('Start');
  const samples = { healthMs: [] as number[], agentMs: [] as number[] };
  for (let count = 0; count < 5; count += 1) {
    const startedAtMs = performance.now();
    const daemon = await startDaemonProcess(rig.env);
    await daemon.health();
    samples.healthMs.push(performance.now() - startedAtMs);
    await until('the agent is online', async () => (await daemon.health()).body.checks.agent === 'online');
    samples.agentMs.push(performance.now() - startedAtMs);
    await daemon.stop();
  }
  to.figure({ name: 'from start to /health ok, p50 of 5', value: median(samples.healthMs), unit: 'ms' });
  to.figure({ name: 'from start to agent online, p50 of 5', value: median(samples.agentMs), unit: 'ms' });
}

/** The person lets the bench's user take screenshots without being asked. */
async function trust(daemon: RunningDaemon, { key }: Console): Promise<void> {
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  await daemon.call('/api/console/users/ann/profile', { method: 'PUT', headers, body: { profile: 'trusted' } });
}

async function freshCode(daemon: RunningDaemon, { key }: Console): Promise<string> {
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  const { body } = await daemon.call<{ code: string }>('/api/console/session/code', { method: 'POST', headers });
  return body.code;
}

async function reportMemory(daemon: RunningDaemon, to: Report): Promise<void> {
  to.heading('Resident memory after all of that');
  to.figure({ name: 'daemon', value: residentMegabytes(daemon.pid), unit: 'MB' });
  to.figure({ name: 'agent (OCR loaded)', value: residentMegabytes(await daemon.agentPid()), unit: 'MB' });
}
