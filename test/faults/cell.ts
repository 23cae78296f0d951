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
type Plot = {
  step: StepSubmission;
  blows: readonly Blow[];
  /** The person changes the rules while the plan of the task is asked about, so that the step has to ask by itself. */
  rulesChange: boolean;
};

export type Cell = Plot & { folder: string; dataDirectory: string };

const ENTRY = join(FAULTS_FOLDER, 'watched-daemon.js');
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
export function makeCell(template: Template, plot: Plot): Cell {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-cell-'));
  const dataDirectory = join(folder, 'data');
  cpSync(join(template.folder, 'data'), dataDirectory, { recursive: true });
  planBlows(folder, plot.blows);
  return { ...plot, folder, dataDirectory };
}

/** Ends what may still run of a folder, and removes it. */
export function clear({ folder }: { folder: string }): void {
  for (const victim of ['daemon', 'agent'] as const) killAndWait(folder, victim);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Starts the daemon, as often as it is killed, until all blows have fallen and nothing more happens by itself; then kills it, and
 * the agent with it. `between` is called whenever no daemon runs.
 */
export async function liveThrough(cell: Cell, between: () => void): Promise<void> {
  for (let life = 1; life <= MOST_LIVES; life += 1) {
    const rested = await liveOnce(cell);
    between();
    if (rested !== undefined) return;
  }
  throw new Error(`after ${MOST_LIVES} lives there was no rest; fallen: ${fallenBlows(cell.folder)}`);
}

/** The task at rest, after which the daemon was killed; nothing when it was killed before that. */
export async function liveOnce(cell: Cell): Promise<Task | undefined> {
  const fallen = fallenBlows(cell.folder).length;
  const hasNewBlow = () => fallenBlows(cell.folder).length > fallen;
  let daemon: RunningDaemon;
  try {
    daemon = await start(cell.folder);
  } catch (error) {
    if (hasNewBlow()) return undefined;
    throw error;
  }
  try {
    const rested = await untilRest(cell, daemon);
    await kill(cell.folder, daemon);
    return rested;
  } catch (error) {
    if (hasNewBlow() && (await endsSoon(daemon))) return undefined;
    await kill(cell.folder, daemon);
    throw new Error(`fallen so far: ${fallenBlows(cell.folder)}; the daemon's log: ${daemon.log()}`, { cause: error });
  }
}

/** What a client and a person do: submit, ask again for what had no answer, approve whatever waits. */
async function untilRest(cell: Cell, daemon: RunningDaemon): Promise<Task> {
  const person = await daemon.signIn();
  await until(
    'the agent is online',
    async () => (await daemon.health()).body.checks.agent === 'online',
    PATIENCE_MS,
    LOOK_EVERY_MS,
  );
  const { taskId } = await submit(cell, daemon);
  if (cell.rulesChange && fallenBlows(cell.folder).length === 0)
    await put(daemon, person, { path: 'profiles', body: OTHERWISE_ASKING });
  const isRested = async () => {
    await befallTask(cell, daemon, taskId);
    const { body: task } = await daemon.call<Task>(`/api/tee/tasks/${taskId}`, { userId: 'ann' });
    if (task.steps.some(({ status }) => status === 'awaiting_confirmation')) await person.answer('allow');
    const isOver = fallenBlows(cell.folder).length === cell.blows.length && isAtRest(task);
    return isOver && (await isSettled(daemon, person)) ? task : undefined;
  };
  return await until('all blows have fallen and the task is at rest', isRested, PATIENCE_MS, LOOK_EVERY_MS);
}

async function submit({ step }: Cell, daemon: RunningDaemon): Promise<Task> {
  const next = { id: 'next', actionType: 'Wait', parameters: { durationMs: 0 }, dependsOn: [step.id] };
  const steps = [step, { ...next, targetDeviceId: step.targetDeviceId }];
  const headers = { 'idempotency-key': 'once-and-for-all' };
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
async function befallTask(cell: Cell, daemon: RunningDaemon, taskId: string): Promise<void> {
  const at = cell.blows[fallenBlows(cell.folder).length]?.at;
  const isDone = effectsOf(cell).length > 0;
  if (at === 'after task.cancel_requested' && isDone)
    await daemon.call(`/api/tee/tasks/${taskId}/cancel`, { method: 'POST', userId: 'ann' });
  if (at === 'a key is used again' && isDone) await submit(cell, daemon);
}

function isAtRest({ finishedAt, status, steps }: Task): boolean {
  if (finishedAt !== undefined) return true;
  const isUnderWay = steps.some((step) => step.status === 'running' || step.status === 'awaiting_confirmation');
  return status === 'needs_attention' && !isUnderWay;
}

async function isSettled(daemon: RunningDaemon, person: Console): Promise<boolean> {
  return (await daemon.health()).body.checks.agent === 'online' && (await person.prompts()).length === 0;
}

/** What has really happened, as the desktop itself noted it down. */
export function effectsOf({ folder }: Pick<Cell, 'folder'>): string[] {
  return linesOf(join(folder, 'ledger'));
}

function start(folder: string): Promise<RunningDaemon> {
  const dataDirectory = join(folder, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  return startDaemonWith({
    command: [process.execPath, ENTRY, folder],
    dataDirectory,
    environment: {
      HANDRAIL_AGENT_DRIVER: 'fake',
      HANDRAIL_FAKE_SCENARIO: JSON.stringify({ ledgerPath: join(folder, 'ledger') }),
      HANDRAIL_RATE_LIMITS: 'off',
      HANDRAIL_LOG_LEVEL: 'warn',
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
  const timer = setTimeout(() => patience.resolve(false), 2_000);
  const hasEnded = await Promise.race([exited.then(() => true), patience.promise]);
  clearTimeout(timer);
  return hasEnded;
}
