import { hash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { Context } from '../context.ts';

/**
 * Equal for two actions whose prompts ask a person exactly the same: the action with its requester and targets, its risk, and the
 * program that was found. Another program may use the name of the requester, and the person must see it. Its process may be another.
 */
export function questionOf({ store }: Pick<Context, 'store'>, { id, taskId, digest, risk }: ActionRow): string {
  const program = store.callingPrograms.find(taskId ?? id) ?? null;
  return hash('sha256', canonicalJson([digest, risk, withoutProcesses(program)]));
}

function withoutProcesses(program: unknown): unknown {
  return JSON.parse(JSON.stringify(program, (name, value) => (name === 'pid' ? undefined : value)));
}
