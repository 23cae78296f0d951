import { mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AllowedFolderList } from '../../src/contract/access.ts';
import type { Action, DryRun } from '../../src/contract/action.ts';
import type { Task } from '../../src/contract/task.ts';
import { ledgerOf } from '../agent/files/ledger.ts';
import { until } from '../desktop/processes.ts';
import { type Console, type RunningDaemon, startDaemonProcess } from './daemon.ts';

/** Long enough for a machine with much other work: it only ends a hang. */
const STARTS_WITHIN_MS = 180_000;

type FilesRigOptions = { under?: string; environment?: Record<string, string> };

/** A daemon with a real agent over a home folder of its own: `work` is what tests may touch, `outside` and `.ssh` are not. */
export async function startFilesRig({ under = tmpdir(), environment = {} }: FilesRigOptions = {}) {
  const root = realpathSync(mkdtempSync(join(under, 'handrail-e2e-files-')));
  const at = (path: string) => join(root, 'home', path);
  for (const folder of ['work', 'outside', '.ssh']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('outside/letter.txt'), OUTSIDE_TEXT);
  writeFileSync(at('.ssh/id_ed25519'), SECRET_TEXT, { mode: 0o600 });
  writeFileSync(at('work/notes.txt'), NOTES_TEXT);
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HOME: at('.'), ...environment });
  const device = await daemon.register();
  await daemon.agentOnline(STARTS_WITHIN_MS).catch(async (error: unknown) => {
    await daemon.stop();
    throw error;
  });
  const person = await daemon.signIn();
  return {
    at,
    daemon,
    person,
    targetDeviceId: device.id,
    ...callsOf({ daemon, person, targetDeviceId: device.id }),
    ledger: () => ledgerOf(at('.')),
    removeLink: (path: string) => unlinkSync(at(path)),
    async stop(): Promise<void> {
      await daemon.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export type FilesRig = Awaited<ReturnType<typeof startFilesRig>>;

/** Texts that no journal and no log may hold. */
export const OUTSIDE_TEXT = 'canary-outside-4f1d';
export const SECRET_TEXT = 'canary-secret-9a3c';
export const NOTES_TEXT = 'canary-notes-27b0';

function callsOf({
  daemon,
  person,
  targetDeviceId,
}: {
  daemon: RunningDaemon;
  person: Console;
  targetDeviceId: string;
}) {
  /** The stored action, whatever its status is. */
  const actionOf = async ({ actionId }: Pick<Action, 'actionId'>): Promise<Action> =>
    (await daemon.call<Action>(`/api/tee/actions/${actionId}`, { userId: 'ann' })).body;
  const submit = (actionType: string, parameters: Record<string, unknown>, more: { profile?: string } = {}) =>
    daemon.submit({ targetDeviceId, actionType, parameters, ...more });
  return {
    submit,
    explain: (actionType: string, parameters: Record<string, unknown>) =>
      daemon.call<DryRun>('/api/tee/actions', {
        userId: 'ann',
        body: { targetDeviceId, actionType, parameters, dryRun: true },
      }),
    /** Calls a route of the dashboard with the person's session. */
    console: person.call,
    newCode: person.newCode,
    allow: (path: string, access: 'read' | 'write' = 'write', userId = 'ann') =>
      person.call<AllowedFolderList>('/folders', { method: 'PUT', body: { userId, path, access } }),
    takeBack: (path: string, userId = 'ann') =>
      person.call<AllowedFolderList>('/folders/remove', { body: { userId, path } }),
    actionOf,
    ended: daemon.ended,
    /** Submits, allows as the person does, and waits for the end. */
    async run(actionType: string, parameters: Record<string, unknown>): Promise<Action> {
      const { body } = await submit(actionType, parameters);
      await person.answer('allow');
      return daemon.ended(body);
    },
    endedTask: ({ taskId }: Pick<Task, 'taskId'>): Promise<Task> =>
      until('the task ends', async () => {
        const { body } = await daemon.call<Task>(`/api/tee/tasks/${taskId}`, { userId: 'ann' });
        return body.finishedAt === undefined ? undefined : body;
      }),
    answer: person.answer,
  };
}
