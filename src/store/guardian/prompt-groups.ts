import type { Database } from 'better-sqlite3';
import type { ConfirmationStatus } from '../../contract/console.ts';
import { HASTY_MS } from '../../guardian/recording/prompts.ts';
import { idNotAfter } from '../database/ids-by-time.ts';
import type { Span } from './rollups.ts';

/**
 * How many prompts have requester, action type, device and status in common. A plan has no action type and no device. `isElevated`: it
 * asked for something of medium risk or above. `isHasty`: it was allowed sooner than it could be read.
 */
export type PromptGroup = {
  user: string;
  type: string | null;
  device: string | null;
  status: ConfirmationStatus;
  isElevated: boolean;
  isHasty: boolean;
  count: number;
};

type Row = Omit<PromptGroup, 'isElevated' | 'isHasty'> & { isElevated: number; isHasty: number };

const MOST_GROUPS = 5_000;

/** Counts of prompts from their rows: there are far fewer of them than of actions. */
export function createPromptGroups(database: Database) {
  const grouped = database.prepare<unknown[], Row>(
    `SELECT c.user_id AS user, a.action_type AS type, a.device_id AS device, c.status AS status,
       coalesce(a.risk_level <> 'low', EXISTS (
         SELECT 1 FROM confirmation_steps s WHERE s.confirmation_id = c.id AND s.consent = 'asked' AND s.risk_level <> 'low'
       )) AS isElevated,
       coalesce(c.status = 'allowed' AND c.decided_at_ms - c.answerable_at_ms + coalesce(c.on_screen_ms, 0) < ${HASTY_MS}, 0) AS isHasty,
       count(*) AS count
     FROM confirmations c LEFT JOIN actions a ON a.id = c.action_id
     WHERE c.id >= :fromId AND c.created_at_ms >= :fromMs AND c.created_at_ms < :toMs
     GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY count DESC, 1, 2, 3, 4, 5, 6 LIMIT ${MOST_GROUPS}`,
  );
  return {
    /** Groups of the prompts that were made between two moments, the largest first; at most 5,000. */
    in({ fromMs, toMs }: Span): PromptGroup[] {
      const rows = grouped.all({ fromId: idNotAfter('cnf', fromMs), fromMs, toMs });
      return rows.map((row) => ({ ...row, isElevated: row.isElevated === 1, isHasty: row.isHasty === 1 }));
    },
  };
}
