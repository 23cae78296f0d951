import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test as plainTest } from 'vitest';
import type { AuditResult } from '../../src/contract/settings.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import type { ActionRow } from '../../src/store/records/actions.ts';
import type { DeviceRow } from '../../src/store/records/devices.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import { newDataFolder } from './data-folder.ts';

export function temporaryFolder(): string {
  return removedAtTheEnd(mkdtempSync(join(tmpdir(), 'handrail-store-')));
}

function removedAtTheEnd(path: string): string {
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A store in a folder of its own, closed when the test ends. */
export function open({ path = removedAtTheEnd(newDataFolder('handrail-store-')) } = {}): Store {
  const store = createStore({ path, now: Date.now });
  onTestFinished(() => store.close());
  return store;
}

/** Tests that get a store of their own. */
export const test = plainTest.extend('store', () => open());

/** The whole verification, as `npm run audit` runs it. */
export function audit(store: Pick<Store, 'path'>): AuditResult {
  return auditJournal(dataDirectoryAt(store.path));
}

/** Another process that is the writer of the folder; with `appending` it has appended one row to the journal. */
export async function forkHolder(
  path: string,
  { appending = false } = {},
): Promise<{ pid: number; kill(): Promise<void> }> {
  const holder = fork(new URL('holder.ts', import.meta.url), [path, ...(appending ? ['appending'] : [])]);
  const kill = async () => {
    if (holder.exitCode !== null || holder.signalCode !== null) return;
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  };
  onTestFinished(kill);
  await once(holder, 'message');
  return { pid: holder.pid ?? 0, kill };
}

export function device(): DeviceRow {
  return {
    id: 'dev_1',
    ownerId: 'ann',
    type: 'linux',
    name: 'Desk',
    machine: 'local',
    capabilities: {},
    createdAtMs: 1,
  };
}

export function action(overrides: Partial<ActionRow> = {}): ActionRow {
  return {
    id: 'act_1',
    userId: 'ann',
    deviceId: 'dev_1',
    actionType: 'Wait',
    digest: 'd',
    timeoutMs: 1_000,
    status: 'queued',
    attempt: 0,
    risk: { level: 'low', reasons: [] },
    effectClass: 'pure',
    effect: 'none',
    artifactCount: 0,
    details: '',
    rule: '',
    createdAtMs: 1,
    ...overrides,
  };
}
