import type { Database } from 'better-sqlite3';
import type { ActionRow } from './actions.ts';

/** The verdict of other rules than those under which an action was submitted. */
export function createVerdictTable(database: Database) {
  const judgeAnew = database.prepare(
    'UPDATE actions SET risk_level = ?, risk_reasons = ?, rule = ?, grant_id = ? WHERE id = ?',
  );
  return {
    judgeAnew(id: string, { risk, rule, grantId }: Pick<ActionRow, 'risk' | 'rule' | 'grantId'>): void {
      judgeAnew.run(risk.level, JSON.stringify(risk.reasons), rule, grantId ?? null, id);
    },
  };
}
