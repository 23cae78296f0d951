import { ACTIONS } from './schema/actions.ts';
import { CONFIRMATIONS } from './schema/confirmations.ts';
import { GUARDIAN } from './schema/guardian.ts';
import { JOURNAL } from './schema/journal.ts';
import { KEPT_CONTENTS } from './schema/kept-contents.ts';
import { RULES } from './schema/rules.ts';
import { TASKS } from './schema/tasks.ts';

/** The tables of the first release. */
export const SCHEMA = [ACTIONS, CONFIRMATIONS, TASKS, RULES, JOURNAL, GUARDIAN, KEPT_CONTENTS].join('\n');
