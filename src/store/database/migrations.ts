import { ACTION_GROUPS } from './migrations/action-groups.ts';
import { ACTION_MARKS } from './migrations/action-marks.ts';
import { ALLOWED_USERS } from './migrations/allowed-users.ts';
import { CALLING_PROGRAMS } from './migrations/calling-programs.ts';
import { CONTROLS } from './migrations/controls.ts';
import { COUNTED_JOURNAL } from './migrations/counted-journal.ts';
import { DENIAL_TARGETS } from './migrations/denial-targets.ts';
import { DENIALS } from './migrations/denials.ts';
import { DEVICE_GROUPS } from './migrations/device-groups.ts';
import { ENDED_ACTIONS } from './migrations/ended-actions.ts';
import { ENDED_BADLY } from './migrations/ended-badly.ts';
import { FILES } from './migrations/files.ts';
import { FORMER_REMOVED } from './migrations/former-removed.ts';
import { FOUNDATION } from './migrations/foundation.ts';
import { GUARDIAN } from './migrations/guardian.ts';
import { HELD_DENIALS } from './migrations/held-denials.ts';
import { INSIGHT_EVIDENCE } from './migrations/insight-evidence.ts';
import { INSIGHTS } from './migrations/insights.ts';
import { KEPT_CONTENTS } from './migrations/kept-contents.ts';
import { OUTCOMES } from './migrations/outcomes.ts';
import { PARTS } from './migrations/parts.ts';
import { PAUSED_USERS } from './migrations/paused-users.ts';
import { PERSON_CANCELS } from './migrations/person-cancels.ts';
import { PLAIN_CONDITIONS } from './migrations/plain-conditions.ts';
import { PLAN_APPROVALS } from './migrations/plan-approvals.ts';
import { PROMPT_READING } from './migrations/prompt-reading.ts';
import { RAIL } from './migrations/rail.ts';
import { REFUSED_REQUESTS } from './migrations/refused-requests.ts';
import { REFUSED_SOURCES } from './migrations/refused-sources.ts';
import { STEP_DETAILS } from './migrations/step-details.ts';
import { STEP_FILES } from './migrations/step-files.ts';
import { STEP_NAMES } from './migrations/step-names.ts';
import { TASK_GRANTS } from './migrations/task-grants.ts';
import { TASKS } from './migrations/tasks.ts';
import { TRENDS } from './migrations/trends.ts';
import { UNDOS } from './migrations/undos.ts';
import { WINDOWS } from './migrations/windows.ts';

/**
 * The schema as steps, oldest first, including every step that was ever released. A released step is never edited; a change
 * is a new step. `PRAGMA user_version` is the number of steps a database has taken.
 */
export const MIGRATIONS: readonly string[] = [
  FOUNDATION,
  RAIL,
  GUARDIAN,
  TASKS,
  TASK_GRANTS,
  CONTROLS,
  INSIGHT_EVIDENCE,
  PLAN_APPROVALS,
  INSIGHTS,
  ACTION_GROUPS,
  PAUSED_USERS,
  TRENDS,
  DENIALS,
  STEP_DETAILS,
  KEPT_CONTENTS,
  ALLOWED_USERS,
  WINDOWS,
  STEP_NAMES,
  DENIAL_TARGETS,
  OUTCOMES,
  CALLING_PROGRAMS,
  REFUSED_REQUESTS,
  PROMPT_READING,
  DEVICE_GROUPS,
  PERSON_CANCELS,
  REFUSED_SOURCES,
  FILES,
  ENDED_BADLY,
  UNDOS,
  STEP_FILES,
  FORMER_REMOVED,
  HELD_DENIALS,
  ACTION_MARKS,
  COUNTED_JOURNAL,
  PLAIN_CONDITIONS,
  ENDED_ACTIONS,
  PARTS,
];
