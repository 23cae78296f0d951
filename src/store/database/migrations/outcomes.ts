/**
 * Adds counters to the rollups. Older rows count an execution at high risk or without undo at its dispatch, newer ones at
 * its end, where it may have had an effect.
 */
const COLUMNS = [
  'request_refused',
  'plan_denied',
  'executed_without_effect',
  'cancelled_by_person',
  'approved_unasked',
  'outcome_unexpected',
  'console_key_refused',
  'agent_token_refused',
  'user_key_refused',
  'host_refused',
  'origin_refused',
  'cross_site_refused',
  'os_user_refused',
];

export const OUTCOMES = COLUMNS.map(
  (column) => `ALTER TABLE guardian_rollups ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0;`,
).join('\n');
