import type { Database } from 'better-sqlite3';
import type { EffectClass, RiskLevel } from '../../contract/action.ts';
import { rowsOf } from '../database/stored-values.ts';

/** What the verdict on a past action depends on. `parameters` and `targets` are JSON, and absent once they are no longer kept. */
export type JudgedActionRow = {
  id: string;
  userId: string;
  actionType: string;
  effectClass: EffectClass;
  riskLevel: RiskLevel;
  taskId?: string;
  createdAtMs: number;
  /** Of its device, which may have been removed since; JSON. */
  capabilities: string;
  /** Of its device. */
  machine: string;
  parameters?: string;
  targets?: string;
  sentence?: string;
};

/** Reads past actions of everybody, to judge them anew. */
export function createJudgedActions(database: Database) {
  const page = database.prepare<unknown[], object>(
    `SELECT actions.id, user_id, action_type, effect_class, risk_level, task_id, actions.created_at_ms, capabilities, machine,
       parameters, targets, sentence
     FROM actions JOIN devices ON devices.id = actions.device_id
     WHERE actions.id > ? AND actions.id <= ? ORDER BY actions.id LIMIT ?`,
  );
  const latest = database.prepare<unknown[], string>('SELECT id FROM actions ORDER BY id DESC LIMIT 1').pluck();
  return {
    latestId: (): string => latest.get() ?? '',
    /** Oldest first, after the one id and up to the other. */
    page: (afterId: string, upToId: string, limit: number): JudgedActionRow[] =>
      rowsOf(page.all(afterId, upToId, limit)),
  };
}
