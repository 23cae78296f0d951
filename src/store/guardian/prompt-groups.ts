import type { Database } from 'better-sqlite3';
import type { ConfirmationStatus } from '../../contract/console.ts';
import { idNotAfter } from '../database/ids-by-time.ts';
import type { Span } from './rollups.ts';

/** How many prompts have requester, action type, device and status in common. A plan has no action type and no device. */
export type PromptGroup = {
  user: string;
  type: string | null;
  device: string | null;
  status: ConfirmationStatus;
  count: number;
};

const MOST_GROUPS = 5_000;

/** Counts of prompts from their rows: there are far fewer of them than of actions. */
export function createPromptGroups(database: Database) {
  const grouped = database.prepare(
    `SELECT c.user_id AS user, a.action_type AS type, a.device_id AS device, c.status AS status, count(*) AS count
     FROM confirmations c LEFT JOIN actions a ON a.id = c.action_id
     WHERE c.id >= :fromId AND c.created_at_ms >= :fromMs AND c.created_at_ms < :toMs
     GROUP BY 1, 2, 3, 4 ORDER BY count DESC, 1, 2, 3, 4 LIMIT ${MOST_GROUPS}`,
  );
  return {
    /** Groups of the prompts that were made between two moments, the largest first; at most 5,000. */
    in: ({ fromMs, toMs }: Span): PromptGroup[] =>
      grouped.all({ fromId: idNotAfter('cnf', fromMs), fromMs, toMs }) as PromptGroup[],
  };
}
