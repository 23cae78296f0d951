import type { Grant, GrantScope } from '../../contract/console.ts';
import type { DashboardProgram } from '../../contract/own-window.ts';
import type { Assessment } from '../../domain/catalogue/definition.ts';
import { GRANT_LIFE, grantSentence, habitOf, type StandingScope } from '../../domain/grant.ts';
import { machineWords, withoutMachine } from '../../domain/machine-words.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { GrantKey, GrantRow } from '../../store/records/rules.ts';
import type { CallsOff } from '../call-off.ts';
import type { Clock, Context } from '../context.ts';
import { visible } from '../prompt-words.ts';
import type { Refusal } from '../refusal.ts';
import { termTimestamp, timestamp } from '../steady-clock.ts';
import { untilStored } from '../work/storage-failure.ts';
import { accessesTo, findAccess, offeredAccess } from './access.ts';

/**
 * An action that a prompt is about, with its sentence. A grant for it covers `arguments` as canonical JSON (RFC 8785), which `covers`
 * names in words where they are more than those of this action.
 */
export type AskedAction = {
  row: ActionRow;
  arguments: string;
  sentence: string;
  covers?: string | undefined;
  /** The access that its approval gives. */
  access?: Assessment['asksAccess'];
};

/** How long the page says that an access was ended for the dashboard. */
const TOLD_MS = 10 * 60_000;

export type Grants = ReturnType<typeof createGrants>;

/** Standing answers, given with a prompt's answer: for one user, type and device, and one set of arguments or the scripts of a folder. */
export function createGrants(context: Context, { callOffs }: { callOffs: CallsOff }) {
  const { store, clock, newId } = context;
  let endedAccess: { untilMs: number; literals: readonly string[] } = { untilMs: 0, literals: [] };
  return {
    /** The live grant that lets this through, if there is one. */
    find: (key: GrantKey, taskId: string | undefined): GrantRow | undefined =>
      store.grants.find({ ...key, taskId }, clock.nowMs()),
    /** The live grant that gives access to an app, if there is one. */
    findAccess: (of: Pick<ActionRow, 'userId' | 'deviceId'>, access: Assessment['access']): GrantRow | undefined =>
      findAccess(context, of, access),
    /** Stores a grant for an action; only inside the transaction that records the answer. */
    insert(asked: AskedAction, scope: StandingScope): void {
      const { row } = asked;
      const createdAtMs = clock.nowMs();
      const { lastsMs, unusedMs } = GRANT_LIFE[scope];
      const id = newId('grt');
      store.grants.insert({
        id,
        ...keyOf(asked),
        taskId: scope === 'task' ? row.taskId : undefined,
        literal: literalOf(context, asked, scope),
        scope,
        createdAtMs,
        unusedMs,
        expiresAtMs: createdAtMs + lastsMs,
      });
      store.journal.append(createdAtMs, {
        kind: 'grant.created',
        userId: row.userId,
        deviceId: row.deviceId,
        actionId: row.id,
        metadata: { grantId: id, scope, type: row.actionType },
      });
    },
    literal: (asked: AskedAction, scope: GrantScope): string =>
      asked.access === undefined ? literalOf(context, asked, scope) : offeredAccess(context, asked.row, asked.access),
    list: (): Grant[] => store.grants.live(clock.nowMs()).map((row) => view(clock, row)),
    /** Ends a grant at once; actions that it allowed and that were not sent yet are called off. */
    revoke(id: string): undefined | Refusal {
      const atMs = clock.nowMs();
      const callOff = callOffs.prepare({ because: 'grant_revoked', grantId: id });
      const revoked = store.write('durable', () => {
        if (!store.grants.revoke(id, atMs)) return false;
        store.journal.append(atMs, { kind: 'grant.revoked', metadata: { grantId: id } });
        callOff.note();
        return true;
      });
      if (!revoked) return { refused: 'not_found', detail: `There is no live grant ${id}.` };
      callOff.begin();
      return undefined;
    },
    /** Ends the access to the app in which the dashboard was opened, and calls off the input to it. */
    dashboardOpened(program: DashboardProgram): void {
      const ended = accessesTo(context, program);
      if (ended.length > 0)
        endedAccess = { untilMs: clock.nowMs() + TOLD_MS, literals: ended.map(({ literal }) => literal) };
      const callOff = callOffs.prepare({ because: 'dashboard_opened', program });
      if (ended.length === 0 && callOff.count === 0) return;
      untilStored(context, () => {
        const atMs = clock.nowMs();
        store.write('durable', () => {
          for (const { id, userId, deviceId } of ended) {
            const metadata = { grantId: id, because: 'dashboard_opened' } as const;
            if (store.grants.revoke(id, atMs))
              store.journal.append(atMs, { kind: 'grant.revoked', userId, deviceId, metadata });
          }
          callOff.note();
        });
      });
      callOff.begin();
    },
    /** The access that was ended like that a short time ago. */
    endedAccess: (): readonly string[] => (clock.nowMs() < endedAccess.untilMs ? endedAccess.literals : []),
    endOfRun(): void {
      store.write('durable', () => store.grants.endOfRun(clock.nowMs()));
    },
  };
}

function keyOf({ row: { userId, actionType, deviceId }, arguments: given }: AskedAction): GrantKey {
  return { userId, actionType, deviceId, arguments: given }; // guard A6-2
}

function literalOf({ store }: Context, asked: AskedAction, scope: GrantScope): string {
  const { userId, deviceId } = asked.row;
  const deviceName = store.devices.find(userId, deviceId)?.name ?? deviceId;
  const machine = store.devices.machineOf(deviceId);
  const does = habitOf(withoutMachine(machine, asked.sentence));
  const covers = asked.covers === undefined ? undefined : withoutMachine(machine, asked.covers);
  return visible(`${machineWords(machine)}${grantSentence(scope, { userId, does, deviceName, covers })}`);
}

/** When a grant ends if it is not used again, in ms. */
export function endsAtMs(row: GrantRow): number {
  return Math.min(row.expiresAtMs, (row.lastUsedAtMs ?? row.createdAtMs) + row.unusedMs);
}

function view(clock: Clock, row: GrantRow): Grant {
  return {
    id: row.id,
    userId: row.userId,
    actionType: row.actionType,
    deviceId: row.deviceId,
    constraint: row.arguments,
    literal: row.literal,
    scope: row.scope,
    useCount: row.useCount,
    createdAt: timestamp(row.createdAtMs),
    lastUsedAt: timestamp(row.lastUsedAtMs),
    expiresAt: termTimestamp(clock, endsAtMs(row)),
  };
}
