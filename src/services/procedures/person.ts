import type {
  PersonsProcedure,
  ProcedureApproval,
  ProcedureDraft,
  ProcedureMend,
  ProcedureSource,
} from '../../contract/procedure.ts';
import { machineWords } from '../../domain/machine-words.ts';
import { stepsInWords } from '../../domain/procedures/words.ts';
import type { ProcedureRow } from '../../store/records/procedures.ts';
import type { Context } from '../context.ts';
import type { DevicesOfAll } from '../devices.ts';
import type { Grants } from '../permissions/grants.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { termTimestamp } from '../steady-clock.ts';
import { MOST_CHARACTERS } from '../work/pages.ts';
import { createSlice } from '../work/turns.ts';
import type { createDrafts } from './drafts.ts';
import type { LookParts } from './looks.ts';
import { mendOf } from './mend.ts';
import { approvalKey, type Procedures, viewProcedure } from './procedures.ts';

const DAY_MS = 24 * 3_600_000;

const orderOf = ({ procedure }: PersonsProcedure) => `${procedure.userId}\n${procedure.name}`;

export type PersonsProcedures = ReturnType<typeof createPersonsProcedures>;

type Parts = LookParts & {
  procedures: Procedures;
  drafts: ReturnType<typeof createDrafts>;
  devices: Pick<DevicesOfAll, 'row'>;
  grants: Pick<Grants, 'revoke'>;
  isKnown(userId: string): boolean;
  home: string | undefined;
};

/** Procedures as the person sees them: those of all requesters, with their approvals. */
export function createPersonsProcedures(context: Context, parts: Parts) {
  const { procedures, drafts, devices, grants, isKnown, home = '/' } = parts;
  const { store, clock, newId } = context;

  function view(row: ProcedureRow): PersonsProcedure {
    const runs = store.tasks.runsOfProcedure(row.userId, row.procedure.name);
    const [latest] = runs;
    return {
      procedure: viewProcedure(row),
      steps: stepsInWords(row.procedure, home).map((step) => ({ ...step, sentence: visible(step.sentence) })),
      approvals: approvalsOf(row),
      runs: {
        all: runs.reduce((sum, { count }) => sum + count, 0),
        succeeded: runs.find(({ status }) => status === 'success')?.count ?? 0,
        latest: latest?.status,
      },
    };
  }

  const approvalsOf = (row: ProcedureRow): PersonsProcedure['approvals'] =>
    procedures.approvalsOf(row).map(({ id, deviceId, runsLeft = 0, expiresAtMs }) => ({
      ...{ grantId: id, targetDeviceId: deviceId, runsLeft, until: termTimestamp(clock, expiresAtMs) },
    }));

  /** With their sizes. */
  function* viewsWithin(userId: string, characters: number): Generator<[PersonsProcedure, number]> {
    let left = characters;
    for (const row of store.procedures.of(userId)) {
      const item = view(row);
      const size = JSON.stringify(item).length;
      left -= size;
      if (left < 0) return;
      yield [item, size];
    }
  }

  const kindOf = (userId: string) => (isKnown(userId) ? 'known' : 'strangers');

  const inOrder = (items: readonly PersonsProcedure[]) => ({
    items: items.toSorted((one, other) => orderOf(one).localeCompare(orderOf(other), 'en')),
    leftOut: store.procedures.count() - items.length,
  });

  return {
    /**
     * Those of requesters that the person knows first, as far as one answer has room; each has a share of what the ones before it left.
     * Each is put into words, so that it is done in slices.
     */
    async all(): Promise<{ items: PersonsProcedure[]; leftOut: number }> {
      const slice = createSlice(clock);
      const items: PersonsProcedure[] = [];
      let room = MOST_CHARACTERS;
      const { known = [], strangers = [] } = Object.groupBy(store.procedures.owners(), kindOf);
      for (const owners of [known, strangers]) {
        for (const [index, userId] of owners.entries()) {
          for (const [item, size] of viewsWithin(userId, room / (owners.length - index))) {
            items.push(item);
            room -= size;
            if (slice.isOver()) await slice.next();
          }
        }
      }
      return inOrder(items);
    },
    draft: (source: ProcedureSource): Promise<ProcedureDraft | Refusal> => drafts.draft(null, source),
    hint: drafts.hint,
    mend: (taskId: string, looks: boolean): Promise<ProcedureMend | Refusal> =>
      mendOf(context, parts, { taskId, looks }),
    keep: procedures.keep,
    remove: procedures.remove,
    run: procedures.run,
    /** Approves a procedure of a requester as the person read it: a grant for a time and a number of runs, in place of an earlier one. */
    approve(
      name: string,
      { userId, digest, targetDeviceId, days, runs }: ProcedureApproval,
    ): PersonsProcedure | Refusal {
      const row = procedures.find(userId, name);
      if (isRefusal(row)) return row;
      if (row.digest !== digest) return changedSince(row);
      const device = devices.row(userId, targetDeviceId);
      if (isRefusal(device)) return device;
      const createdAtMs = clock.nowMs();
      const expiresAtMs = createdAtMs + days * DAY_MS;
      const id = newId('grt');
      for (const { grantId, targetDeviceId: deviceId } of approvalsOf(row))
        if (deviceId === targetDeviceId) grants.revoke(grantId);
      store.write('durable', () => {
        store.grants.insert({
          ...{ id, ...approvalKey(digest), userId, deviceId: targetDeviceId },
          literal: visible(
            `${machineWords(device.machine)}${literalOf(name, { userId, deviceName: device.name, days, runs })}`,
          ),
          ...{ scope: 'always', createdAtMs, unusedMs: expiresAtMs - createdAtMs, expiresAtMs, runsLeft: runs },
        });
        const metadata = { grantId: id, scope: 'always', type: approvalKey(digest).actionType } as const;
        store.journal.append(createdAtMs, { kind: 'grant.created', userId, deviceId: targetDeviceId, metadata });
      });
      return view(row);
    },
  };
}

function literalOf(
  name: string,
  { userId, deviceName, days, runs }: { userId: string; deviceName: string; days: number; runs: number },
): string {
  const times = runs === 1 ? 'once' : `${runs} times`;
  const span = days === 1 ? 'within a day' : `within ${days} days`;
  return `“${userId}” can run the procedure “${name}” on ${JSON.stringify(deviceName)} ${times} ${span}.`;
}

function changedSince({ procedure }: ProcedureRow): Refusal {
  return {
    refused: 'confirmation_stale',
    detail: `The procedure “${procedure.name}” was changed since it was shown. Read it again.`,
    countedAs: 'digest_mismatch',
  };
}
