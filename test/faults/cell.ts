import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../../src/contract/profile.ts';
import type { StepSubmission, Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { type Console, type RunningDaemon, startDaemonWith } from '../e2e/daemon.ts';
import { type Blow, fallenBlows, killAndWait, linesOf, planBlows } from './blows.ts';
import { FAULTS_FOLDER } from './build.ts';

/** A data directory with a device in it, and a person who wants to be asked about everything that is tried here. */
export type Template = { folder: string; deviceId: string };

/** What is to be done, and what befalls it. */
export type Plot = {
  step: StepSubmission;
  blows: readonly Blow[];
  /** The person changes the rules while the plan of the task is asked about, so that the step has to ask by itself. */
  rulesChange: boolean;
};

/** One data directory, on which plots happen one after another: each when the task of the one before is at rest. */
export type Cell = { folder: string; dataDirectory: string; plots: readonly Plot[] };

/** A plot of a cell that is under way. */
type Scene = Plot & {
  cell: Cell;
  /** Blows that fell in the plots before, and effects that happened there. */
  before: { blows: number; effects: number };
  /** These rules are not the ones that apply when it begins. */
  otherRules: Profile;
};

const ENTRY = join(FAULTS_FOLDER, 'watched-daemon.js');
/** A daemon lives for two seconds here. With room for all its garbage it takes a sixth less processor time. */
const ROOM_FOR_GARBAGE = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--v8-pool-size=0'];
/** Of one plot. */
const MOST_LIVES = 5;
/** For a machine that is very busy; nothing here takes longer than a second or two by itself. */
const PATIENCE_MS = 60_000;
/** Each look costs calls, and while one cell pauses the others go on. */
const LOOK_EVERY_MS = 100;

const ASKING: Profile = {
  name: 'asking',
  byLevel: { low: 'allow', medium: 'ask', high: 'ask', critical: 'ask' },
  rules: [{ verdict: 'ask', actionTypes: ['OpenApp'] }],
};

const OTHERWISE_ASKING: Profile = { ...ASKING, rules: [...ASKING.rules, { verdict: 'ask', actionTypes: ['QuitApp'] }] };

export async function makeTemplate(): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-faults-'));
  planBlows(folder, []);
  const daemon = await start(folder);
  const { id: deviceId } = await daemon.register();
  const person = await daemon.signIn();
  await put(daemon, person, { path: 'profiles', body: ASKING });
  await put(daemon, person, { path: 'users/ann/profile', body: { profile: ASKING.name } });
  await kill(folder, daemon);
  return { folder, deviceId };
}

/** A cell with a copy of the template. */
export function makeCell(template: Template, plots: readonly Plot[]): Cell {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-cell-'));
  const dataDirectory = join(folder, 'data');
  cpSync(join(template.folder, 'data'), dataDirectory, { recursive: true });
  return { folder, dataDirectory, plots };
}

/** Ends what may still run of a folder, and removes it. */
export function clear({ folder }: { folder: string }): void {
  for (const victim of ['daemon', 'agent'] as const) killAndWait(folder, victim);
  rmSync(folder, { recursive: true, force: true });
}

/** A daemon with the person at its dashboard. */
type Life = { daemon: RunningDaemon; person: Console };

/**
 * Starts the daemon, as often as it is killed, until all blows of each plot have fallen and nothing more happens by itself. At last
 * it kills the daemon, and the agent with it. The daemon under which one plot came to its rest begins the next. `look` is called
 * whenever no daemon runs, and at the rest of each plot, with the plot. Only there a daemon may run.
 */
export async function liveThrough(cell: Cell, look: (rested?: { plot: Plot; isLive: boolean }) => void): Promise<void> {
  let life: Life | undefined;
  for (const plot of cell.plots) {
    life = await liveUntilRest(begin(cell, plot), { life, between: look });
    const isLive = plot !== cell.plots.at(-1);
    if (!isLive) await kill(cell.folder, life.daemon);
    look({ plot, isLive });
  }
}

/** Starts the daemon once more, asks again for every task, waits until nothing happens, and kills it. */
export async function liveAgain(cell: Cell): Promise<void> {
  const daemon = await start(cell.folder);
  const life = { daemon, person: await daemon.signIn() };
  for (const plot of cell.plots) {
    await untilRest({ ...begin(cell, plot), blows: [], rulesChange: false }, life);
  }
  await kill(cell.folder, daemon);
}

/** Adds the blows of a plot to those of the plots before, which have fallen. */
function begin(cell: Cell, plot: Plot): Scene {
  const number = cell.plots.indexOf(plot);
  planBlows(
    cell.folder,
    cell.plots.slice(0, number + 1).flatMap(({ blows }) => blows),
  );
  const before = { blows: fallenBlows(cell.folder).length, effects: effectsOf(cell).length };
  return { ...plot, cell, before, otherRules: number % 2 === 0 ? OTHERWISE_ASKING : ASKING };
}

/** The task may come to its rest in the life that lasts already, or in a later one. That life is handed over. */
async function liveUntilRest(
  scene: Scene,
  { life, between }: { life: Life | undefined; between: () => void },
): Promise<Life> {
  let present = life;
  for (let lives = 1; lives <= MOST_LIVES; lives += 1) {
    present = await liveOnce(scene, present);
    if (present !== undefined) return present;
    between();
  }
  throw new Error(`after ${MOST_LIVES} lives there was no rest; fallen: ${fallenBlows(scene.cell.folder)}`);
}

/** A life, the one that lasts already if there is one, when the task came to its rest in it; nothing when a blow ended it. */
async function liveOnce(scene: Scene, lasting: Life | undefined): Promise<Life | undefined> {
  const { folder } = scene.cell;
  const fallen = fallenBlows(folder).length;
  const hasNewBlow = () => fallenBlows(folder).length > fallen;
  let daemon = lasting?.daemon;
  try {
    daemon ??= await start(folder);
    const life = lasting ?? { daemon, person: await daemon.signIn() };
    await untilRest(scene, life);
    return life;
  } catch (error) {
    if (hasNewBlow() && (daemon === undefined || (await endsSoon(daemon)))) return undefined;
    if (daemon === undefined) throw error;
    await kill(folder, daemon);
    throw new Error(`fallen so far: ${fallenBlows(folder)}; the daemon's log: ${daemon.log()}`, { cause: error });
  }
}

/** What a client and a person do: submit, ask again for what had no answer, approve whatever waits. */
async function untilRest(scene: Scene, { daemon, person }: Life): Promise<void> {
  await until(
    'the agent is online',
    async () => (await daemon.health()).body.checks.agent === 'online',
    PATIENCE_MS,
    LOOK_EVERY_MS,
  );
  const { taskId } = await submit(scene, daemon);
  if (scene.rulesChange && fallenIn(scene) === 0)
    await put(daemon, person, { path: 'profiles', body: scene.otherRules });
  const isRested = async () => {
    await befallTask(scene, daemon, taskId);
    const { body: task } = await daemon.call<Task>(`/api/tee/tasks/${taskId}`, { userId: 'ann' });
    if (task.steps.some(({ status }) => status === 'awaiting_confirmation')) await person.answer('allow');
    const isOver = fallenIn(scene) === scene.blows.length && isAtRest(task);
    return isOver && (await isSettled(daemon, person));
  };
  await until('all blows have fallen and the task is at rest', isRested, PATIENCE_MS, LOOK_EVERY_MS);
}

function fallenIn({ cell, before }: Scene): number {
  return fallenBlows(cell.folder).length - before.blows;
}

async function submit({ step }: Plot, daemon: RunningDaemon): Promise<Task> {
  const next = { id: 'next', actionType: 'Wait', parameters: { durationMs: 0 }, dependsOn: [step.id] };
  const steps = [step, { ...next, targetDeviceId: step.targetDeviceId }];
  const headers = { 'idempotency-key': `once-and-for-all-${step.id}` };
  const { status, body } = await daemon.call<Task>('/api/tee/tasks', { userId: 'ann', headers, body: { steps } });
  if (status !== 202 && status !== 200) throw new Error(`the task was not taken: ${JSON.stringify(body)}`);
  return body;
}

async function put(
  { base, call }: RunningDaemon,
  { key }: Console,
  { path, body }: { path: string; body: unknown },
): Promise<void> {
  const headers = { origin: base, authorization: `Bearer ${key}` };
  const { status } = await call(`/api/console/${path}`, { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`the person could not change ${path}: ${status}`);
}

/** What the client does while the step is under way, in the runs that are about that. */
async function befallTask(scene: Scene, daemon: RunningDaemon, taskId: string): Promise<void> {
  const at = scene.blows[fallenIn(scene)]?.at;
  const isDone = effectsOf(scene.cell).length > scene.before.effects;
  if (at === 'after task.cancel_requested' && isDone)
    await daemon.call(`/api/tee/tasks/${taskId}/cancel`, { method: 'POST', userId: 'ann' });
  if (at === 'a key is used again' && isDone) await submit(scene, daemon);
}

function isAtRest({ finishedAt, status, steps }: Task): boolean {
  if (finishedAt !== undefined) return true;
  const isUnderWay = steps.some((step) => step.status === 'running' || step.status === 'awaiting_confirmation');
  return status === 'needs_attention' && !isUnderWay;
}

async function isSettled(daemon: RunningDaemon, person: Console): Promise<boolean> {
  return (await daemon.health()).body.checks.agent === 'online' && (await person.prompts()).length === 0;
}

/** The effects that have really happened, one word each, as the desktop itself noted them down. */
export function effectsOf({ folder }: Pick<Cell, 'folder'>): string[] {
  return linesOf(join(folder, 'ledger')).map((line) => JSON.parse(line).happened);
}

/** The daemon of a folder, on a port of the system's choice or on this one. */
export function startLife(folder: string, port = 0): Promise<RunningDaemon> {
  return start(folder, port);
}

/** Ends both processes without a word. */
export function killLife(folder: string, daemon: RunningDaemon): Promise<void> {
  return kill(folder, daemon);
}

function start(folder: string, port = 0): Promise<RunningDaemon> {
  const dataDirectory = join(folder, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  return startDaemonWith({
    command: [process.execPath, ...ROOM_FOR_GARBAGE, ENTRY, folder],
    dataDirectory,
    environment: {
      HANDRAIL_AGENT_DRIVER: 'fake',
      HANDRAIL_FAKE_SCENARIO: JSON.stringify({ ledgerPath: join(folder, 'ledger') }),
      HANDRAIL_RATE_LIMITS: 'off',
      HANDRAIL_LOG_LEVEL: 'warn',
      HANDRAIL_PORT: String(port),
    },
  });
}

/** Ends both processes without a word. The agent would end by itself, but the next start would have to wait for it. */
async function kill(folder: string, daemon: RunningDaemon): Promise<void> {
  daemon.kill('SIGKILL');
  await daemon.exited;
  killAndWait(folder, 'agent');
}

async function endsSoon({ exited }: RunningDaemon): Promise<boolean> {
  const patience = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => patience.resolve(false), PATIENCE_MS);
  const hasEnded = await Promise.race([exited.then(() => true), patience.promise]);
  clearTimeout(timer);
  return hasEnded;
}
