import { RUN_BREAK_MS } from '../../contract/run.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActivityFilter } from '../../store/records/activity.ts';
import type { RunMember, RunOwner } from '../../store/records/runs.ts';
import type { Context } from '../context.ts';
import type { Slice } from '../work/turns.ts';

/** Actions that one run has at most; the older part of a longer one is a run of its own. */
export const MOST_MEMBERS = 5_000;
/** Actions of one read. */
const PIECE = 200;

/** `beforeId`: only actions before this one. */
type Wanted = { filter: ActivityFilter; slice: Slice; beforeId?: string | undefined };

/** The actions of the run that an action belongs to, newest first, with whether each matches a filter. */
export async function membersOf({ store }: Context, row: ActionRow, wanted: Wanted): Promise<RunMember[]> {
  const { filter, slice, beforeId } = wanted;
  const owner: RunOwner = row.taskId === undefined ? { userId: row.userId } : { taskId: row.taskId };
  const self = store.runs.beside(owner, { id: `${row.id}~`, side: 'before', limit: 1 }, filter);

  /** Adds the actions on one side, each beside the one before, until a break. */
  async function add(into: RunMember[], side: 'before' | 'after'): Promise<RunMember[]> {
    for (let at = into.at(-1); at !== undefined && into.length < MOST_MEMBERS; ) {
      const limit = Math.min(PIECE, MOST_MEMBERS - into.length);
      const beside = store.runs.beside(owner, { id: at.id, side, limit }, filter);
      const unbroken = 'taskId' in owner ? beside : unbrokenOf([at, ...beside]);
      into.push(...unbroken);
      at = unbroken.length < limit ? undefined : unbroken.at(-1);
      if (slice.isOver()) await slice.next();
    }
    return into;
  }

  const newer = beforeId === undefined ? await add([...self], 'after') : self;
  return add(newer.toReversed(), 'before');
}

/** The actions after the first, up to the first break. */
function unbrokenOf(actions: readonly RunMember[]): RunMember[] {
  const rest = actions.slice(1);
  const broken = rest.findIndex((action, index) => isParted(actions[index] ?? action, action));
  return broken === -1 ? rest : rest.slice(0, broken);
}

/** Whether the time of a break passed between two actions in which neither was under way. */
function isParted(one: RunMember, other: RunMember): boolean {
  const [older, newer] = one.id < other.id ? [one, other] : [other, one];
  return newer.createdAtMs - (older.finishedAtMs ?? newer.createdAtMs) > RUN_BREAK_MS;
}
