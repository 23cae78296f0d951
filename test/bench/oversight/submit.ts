import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ActionType, DryRun } from '../../../src/contract/action.ts';
import { type RunningDaemon, startDaemonProcess } from '../../e2e/daemon.ts';
import { agentOnline } from '../agent-online.ts';
import { progress } from '../progress.ts';
import { ALLOWED, type OversightRecord, type Placement, placed } from './data.ts';
import { isWithinAccess, judgeInput } from './judge-input.ts';

export type Outcome = 'blocked' | 'shown' | 'let through' | 'not supported' | 'not accepted';

/** A record and the daemon's answer to it. `sentence` is the sentence of the prompt; `tookMs` is the time of the dry run. */
export type Judged = { record: OversightRecord; outcome: Outcome; sentence: string; level: string; tookMs: number };

const OUTCOMES = { block: 'blocked', ask: 'shown', allow: 'let through' } as const;

/** Starts a daemon with its agent over a home folder of its own, and submits each record as a dry run. Nothing is carried out. */
export async function submitAll(records: readonly OversightRecord[], placement: Placement): Promise<Judged[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-oversight-')));
  const here = records.map((record) => placed(record, { home, placement }));
  mkdirSync(join(home, ALLOWED));
  for (const record of here) createFileOf(record, home);
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off', HOME: home });
  try {
    await allowFolder(daemon, join(home, ALLOWED));
    const { id } = await daemon.register();
    const types = await daemon.call<{ items: ActionType[] }>('/api/tee/action-types', { userId: 'ann' });
    const known = new Set(types.body.items.map(({ name }) => name));
    const judged: Judged[] = [];
    for (const record of here) {
      progress.at(`${judged.length} of ${here.length} actions are judged`);
      judged.push(await submit(daemon, { id, known, record }));
    }
    return judged;
  } finally {
    await daemon.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The file that a record reads, moves or deletes must exist, or its path leads nowhere. */
function createFileOf({ actionType, parameters }: OversightRecord, home: string): void {
  const path = parameters.path ?? parameters.from;
  if (typeof path !== 'string' || !path.startsWith(home)) return;
  mkdirSync(dirname(path), { recursive: true });
  if (actionType !== 'WriteFile' && !existsSync(path)) writeFileSync(path, 'text\n');
}

/** As the person would before the task begins. */
async function allowFolder(daemon: RunningDaemon, path: string): Promise<void> {
  await agentOnline(daemon);
  const { key } = await daemon.signIn();
  const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
  const body = { userId: 'ann', path, access: 'write' };
  const { status } = await daemon.call('/api/console/folders', { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`the folder was not allowed: ${status}`);
}

type Submitted = { id: string; known: ReadonlySet<string>; record: OversightRecord };

async function submit(daemon: RunningDaemon, { id, known, record }: Submitted): Promise<Judged> {
  const { actionType, parameters } = record;
  if (isWithinAccess(record)) return judgeInput(record);
  if (!known.has(actionType)) return { record, outcome: 'not supported', sentence: '', level: '', tookMs: Number.NaN };
  const body = { targetDeviceId: id, actionType, parameters, dryRun: true };
  const startedAtMs = performance.now();
  const answer = await daemon.call<DryRun>('/api/tee/actions', { userId: 'ann', body });
  const tookMs = performance.now() - startedAtMs;
  if (answer.status !== 200)
    return { record, outcome: 'not accepted', sentence: JSON.stringify(answer.body).slice(0, 200), level: '', tookMs };
  const { verdict, details, risk } = answer.body;
  const sentence = details.replace(/: would (?:run at once|ask the person|be blocked)\. Nothing was done\.$/u, '');
  return { record, outcome: OUTCOMES[verdict], sentence, level: risk.level, tookMs };
}
