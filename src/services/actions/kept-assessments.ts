import type { Target } from '../../contract/targets.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Assessment, Seen } from '../../domain/catalogue/definition.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Store } from '../../store/store.ts';
import type { CheckedAction } from './checked-action.ts';

/** The assessment of an action, and its parameters as canonical JSON. */
export type Made = { byName: Assessment; checked: Pick<CheckedAction, 'arguments'> };

/**
 * The assessments of the actions that have not ended, as they were made when each action was admitted. An action of an earlier run
 * of the daemon is assessed from its row, once.
 */
export function createKeptAssessments({ devices }: Pick<Store, 'devices'>, isLive: (id: string) => boolean) {
  const kept = new Map<string, { byName: Assessment; arguments?: string }>();
  return {
    keep({ id, status }: ActionRow, { byName, checked }: Made): void {
      // Thousands of actions may wait for their turn, and only a prompt shows arguments and contents.
      const isAsking = status === 'awaiting_confirmation';
      if (isAsking) kept.set(id, { byName, arguments: checked.arguments() });
      else kept.set(id, { byName: withoutContents(byName) });
    },
    /** By the parameters and their targets; the risk in the row may be higher. Nothing where the parameters are no longer kept. */
    assessmentOf(row: ActionRow): Assessment | undefined {
      const known = kept.get(row.id)?.byName;
      if (known !== undefined) return known;
      const byName = assessRow(row, { machine: devices.machineOf(row.deviceId) });
      if (byName !== undefined && isLive(row.id)) kept.set(row.id, { byName });
      return byName;
    },
    /** The parameters as canonical JSON. */
    argumentsOf: ({ id, parameters }: ActionRow): string => kept.get(id)?.arguments ?? canonicalJson(parameters ?? {}),
    forget: (id: string): void => void kept.delete(id),
  };
}

function withoutContents({ contents: _contents, ...assessment }: Assessment): Assessment {
  return assessment;
}

type Stored = {
  actionType: string;
  parameters?: Record<string, unknown> | undefined;
  targets?: readonly Target[] | undefined;
};

/** The assessment of an action that is read from the store, while its parameters are kept. */
export function assessRow(row: Stored, seen: Pick<Seen, 'folders' | 'machine'> = {}): Assessment | undefined {
  const { actionType, parameters, targets } = row;
  if (parameters === undefined) return undefined;
  const assessed = CATALOGUE.get(actionType)?.assess(parameters, { targets, ...seen });
  return assessed?.ok === true ? assessed.assessment : undefined;
}
