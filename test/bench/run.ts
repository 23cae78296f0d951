import './end-in-words.ts';
import { type Rig, startRig } from '../desktop/rig.ts';
import { type Console, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { residentMegabytes } from '../e2e/reading-load.ts';
import { benchActions } from './actions.ts';
import { benchAgentEnds } from './agent-ends.ts';
import { agentOnline } from './agent-online.ts';
import { benchConnections } from './connections.ts';
import { benchCost } from './cost.ts';
import { benchDecisionPath } from './decision.ts';
import { benchEndings } from './endings.ts';
import { benchFilesAndScripts } from './files-and-scripts.ts';
import { benchFloor } from './floor.ts';
import { freshCode } from './fresh-code.ts';
import { benchHands } from './hands.ts';
import { benchIdle } from './idle.ts';
import { benchJobs } from './jobs.ts';
import { benchKilledHands } from './kills/hands.ts';
import { benchKilledServer } from './kills/server.ts';
import { benchMachineStop } from './machine-stop.ts';
import { benchManyFiles } from './many-files.ts';
import { benchMemory } from './memory.ts';
import { partsWanted } from './parts.ts';
import { benchPrompt } from './prompt.ts';
import { benchEmergencyStop, benchFlood } from './rail.ts';
import { createReport, type Report } from './report.ts';
import { benchDescriptions, benchScreenshots } from './screen.ts';
import { shortened } from './short.ts';
import { benchSoak } from './soak.ts';
import { median } from './statistics.ts';
import { benchStopUnderLoad } from './stop.ts';
import { benchTasks } from './tasks.ts';
import { benchWalk } from './walk.ts';

/** What the parts on one daemon are given. */
type OnDaemon = { daemon: RunningDaemon; person: Console; rig: Rig; report: Report };

/** They share one daemon, so that the resident memory is that after some work. */
const ON_ONE_DAEMON: Readonly<Record<string, (on: OnDaemon) => Promise<void>>> = {
  actions: ({ daemon, report }) => benchActions(daemon, report),
  floor: ({ daemon, report }) => benchFloor(daemon, report),
  screenshots: ({ daemon, rig, report }) => benchScreenshots(daemon, rig, report),
  descriptions: ({ daemon, rig, report }) => benchDescriptions(daemon, rig, report),
  hands: benchHands,
  jobs: ({ report, ...on }) => benchJobs(on, report),
  resident: ({ daemon, report }) => reportMemory(daemon, report),
  decision: ({ report }) => benchDecisionPath(report),
  stop: ({ daemon, person, report }) => benchEmergencyStop(daemon, person, report),
  prompt: async ({ daemon, person, report }) => benchPrompt(daemon, await freshCode(daemon, person), report),
  flood: ({ daemon, report }) => benchFlood(daemon, report),
};

const ALONE: Readonly<Record<string, (on: Omit<OnDaemon, 'daemon' | 'person'>) => Promise<void>>> = {
  tasks: ({ report }) => benchTasks(report),
  connections: ({ rig, report }) => benchConnections(rig.env, report),
  cost: ({ rig, report }) => benchCost(rig.env, report),
  memory: ({ report }) => benchMemory(report),
  idle: ({ rig, report }) => benchIdle(rig.env, report),
  'stop-under-load': ({ report }) => benchStopUnderLoad(report),
  'machine-stop': ({ rig, report }) => benchMachineStop(rig, report),
  'agent-ends': ({ rig, report }) => benchAgentEnds(rig, report),
  endings: ({ report }) => benchEndings(report),
  files: ({ report }) => benchFilesAndScripts(report),
  'many-files': ({ report }) => benchManyFiles(report),
  walk: ({ rig, report }) => benchWalk(rig, report),
};

const { HANDRAIL_KILLS } = process.env;
const SOAK_MINUTES = 10;
const kills = HANDRAIL_KILLS === undefined ? undefined : Number(HANDRAIL_KILLS);

/** They take long, so they run only where they are named. */
const BY_NAME: typeof ALONE = {
  soak: ({ report }) => benchSoak(shortened(SOAK_MINUTES), report),
  kills: ({ report }) => benchKilledHands(kills ?? 200, report),
  'server-kills': ({ report }) => benchKilledServer(kills ?? 20, report),
};

const NAMES = ['start', ...Object.keys(ON_ONE_DAEMON), ...Object.keys(ALONE), ...Object.keys(BY_NAME)];

const HELP = `npm run bench -- [parts]: the operations that must be fast, from one run on a real desktop

  parts    ${NAMES.join(', ')}
           all but ${Object.keys(BY_NAME).join(', ')} where none is named; they run in this order
           kills kills 200 agents, server-kills 20 X servers; HANDRAIL_KILLS=5 makes it 5
  --help   this text

HANDRAIL_BENCH=short takes a tenth of the calls, rounds, files and minutes of what takes long, also for bench:page; quick a hundredth.

Figures are medians. Where other work shares the machine, the ratios tell more than the milliseconds.`;

/** `npm run bench`: see the help. */
const words = process.argv.slice(2);
const wanted = partsWanted(NAMES, words);
if (wanted === 'help') console.log(HELP);
else await run(new Set(wanted.filter((name) => words.length > 0 || !(name in BY_NAME))));

async function run(parts: ReadonlySet<string>): Promise<void> {
  const report = createReport();
  const rig = await startRig();
  try {
    if (parts.has('start')) await benchStart(rig, report);
    await runOnOneDaemon(parts, { rig, report });
    for (const [name, bench] of Object.entries({ ...ALONE, ...BY_NAME }))
      if (parts.has(name)) await bench({ rig, report });
  } finally {
    await rig.close();
  }
  console.log(report.missed().length === 0 ? '\nevery goal was met' : `\nmissed: ${report.missed().join('; ')}`);
  process.exitCode = report.missed().length === 0 ? 0 : 1;
}

async function runOnOneDaemon(parts: ReadonlySet<string>, on: Omit<OnDaemon, 'daemon' | 'person'>): Promise<void> {
  const chosen = Object.entries(ON_ONE_DAEMON).filter(([name]) => parts.has(name));
  if (chosen.length === 0) return;
  const daemon = await startDaemonProcess({ ...on.rig.env, HANDRAIL_RATE_LIMITS: 'off' });
  try {
    const person = await daemon.signIn();
    await trust(daemon, person);
    for (const [, bench] of chosen) await bench({ ...on, daemon, person });
  } finally {
    await daemon.stop();
  }
}

async function benchStart(rig: Rig, to: Report): Promise<void> {
  to.heading('Start');
  const samples = { healthMs: [] as number[], agentMs: [] as number[] };
  for (let count = 0; count < 5; count += 1) {
    const startedAtMs = performance.now();
    const daemon = await startDaemonProcess(rig.env);
    try {
      await daemon.health();
      samples.healthMs.push(performance.now() - startedAtMs);
      await agentOnline(daemon);
      samples.agentMs.push(performance.now() - startedAtMs);
    } finally {
      await daemon.stop();
    }
  }
  to.figure({ name: 'from start to /health ok, p50 of 5', value: median(samples.healthMs), unit: 'ms' });
  to.figure({ name: 'from start to agent online, p50 of 5', value: median(samples.agentMs), unit: 'ms' });
}

/** The person lets the bench's user take screenshots without being asked. */
async function trust(daemon: RunningDaemon, { key }: Console): Promise<void> {
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  await daemon.call('/api/console/users/ann/profile', { method: 'PUT', headers, body: { profile: 'trusted' } });
}

async function reportMemory(daemon: RunningDaemon, to: Report): Promise<void> {
  to.heading('Resident memory after all of that');
  to.figure({ name: 'daemon', value: residentMegabytes(daemon.pid), unit: 'MB' });
  to.figure({ name: 'agent (OCR loaded)', value: residentMegabytes(await daemon.agentPid()), unit: 'MB' });
}
