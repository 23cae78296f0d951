import { GRANT_LIFE } from '../../../src/domain/grant.ts';
import { nameKeyOf } from '../../../src/services/requesters/calling-programs.ts';
import type { Store } from '../../../src/store/store.ts';
import { START_MS } from './person.ts';
import type { Happening } from './session.ts';

const DEVICE = {
  id: 'dev_1',
  ownerId: 'assistant',
  type: 'macos',
  name: 'My Mac',
  machine: 'local',
  capabilities: {},
  createdAtMs: START_MS,
};

/** The device that every grant is for; once in a database. */
export function registerDevice(store: Store): void {
  store.devices.insert(DEVICE);
}

/** The tables that the daemon keeps beside the journal, as far as Guardian reads them. */
export function changeTables(store: Store, { kind, atMs, userId = '', actionId = '', metadata = {} }: Happening): void {
  if (kind === 'requester.program') noteProgram(store, { atMs, userId, actionId, path: String(metadata.program) });
  if (kind === 'action.requested') {
    store.users.see(userId, atMs);
    if (String(metadata.by).startsWith('grt_')) store.grants.use(String(metadata.by), atMs);
  }
  if (kind === 'requester.paused') store.users.pause(userId, atMs, 'denials');
  if (kind === 'requester.resumed') store.users.resume(userId, atMs);
  if (kind === 'grant.revoked') store.grants.revoke(String(metadata.grantId), atMs);
  if (kind === 'grant.created') insertGrant(store, { atMs, userId, metadata });
}

type Sent = { atMs: number; userId: string; actionId: string; path: string };

function noteProgram(store: Store, { atMs, userId, actionId, path }: Sent): void {
  const program = { kind: 'program' as const, uid: 501, pid: 1, name: path, path, startedBy: [] };
  store.callingPrograms.put(actionId, { userId, nameKey: nameKeyOf(program), program, atMs });
}

function insertGrant(
  store: Store,
  { atMs, userId, metadata }: Required<Pick<Happening, 'atMs' | 'userId' | 'metadata'>>,
) {
  const { lastsMs, unusedMs } = GRANT_LIFE.always;
  store.users.see(userId, atMs);
  store.grants.insert({
    id: String(metadata.grantId),
    userId,
    actionType: String(metadata.type),
    deviceId: DEVICE.id,
    arguments: JSON.stringify({ grant: metadata.grantId }),
    literal: 'as simulated',
    scope: 'always',
    createdAtMs: atMs,
    unusedMs,
    expiresAtMs: atMs + lastsMs,
  });
}
