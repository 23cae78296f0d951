import { criticalLabel } from '../../domain/critical-controls.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import { keepEvidence } from '../actions/evidence.ts';
import type { Context } from '../context.ts';
import { isRefusal } from '../refusal.ts';
import { type LookParts, lookAtApp } from './looks.ts';
import { missOf } from './person.ts';
import type { Procedures } from './procedures.ts';

type Parts = LookParts & Pick<Procedures, 'find'> & { keepsEvidence(): boolean };

/**
 * Keeps a picture, for the person alone, of what a run of a procedure that the person allowed met where it missed: of no control for
 * signing in. One is taken at a time.
 */
export function createMissPictures(context: Context, parts: Parts): (task: TaskRow) => void {
  let isBusy = false;

  const isAllowed = ({ id, procedure }: TaskRow) =>
    procedure?.grantId !== undefined || context.store.confirmations.findByTask(id)?.status === 'allowed';

  async function keep(task: TaskRow): Promise<void> {
    const miss = isAllowed(task) ? missOf(task, parts.find) : undefined;
    if (miss === undefined || isRefusal(miss) || miss.advice !== undefined || miss.missed.actionId === undefined)
      return;
    const { actionId, deviceId } = miss.missed;
    if (criticalLabel(miss.step.target?.name ?? '')?.family === 'signs in') return;
    const look = await lookAtApp(parts, { deviceId, app: miss.step.target?.app });
    if (look?.picture === undefined) return;
    const { announced, bytes } = look.picture.taken;
    const picture = { announced: { ...announced, role: 'after' }, bytes } as const;
    await keepEvidence(context, { id: actionId, userId: task.userId }, [picture]);
  }

  return (task) => {
    if (isBusy || task.procedure === undefined || task.status !== 'failed' || !parts.keepsEvidence()) return;
    isBusy = true;
    void keep(task)
      .catch((error: unknown) =>
        context.log.warn({ err: error, taskId: task.id }, 'the picture of a miss could not be taken'),
      )
      .finally(() => {
        isBusy = false;
      });
  };
}
