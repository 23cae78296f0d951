import { COMMAND_LINE_GUARDS } from './command-line-guards.ts';
import { DIALOGS_GUARDS } from './dialogs-guards.ts';
import { FILE_GUARDS } from './file-guards.ts';
import { FILES_GUARDS } from './files-guards.ts';
import { GUARDS, type Guard } from './guards.ts';
import { HANDS_GUARDS } from './hands-guards.ts';
import { INPUT_GUARDS } from './input-guards.ts';
import { LIMIT_GUARDS } from './limit-guards.ts';
import { MACHINE_GUARDS } from './machine-guards.ts';
import { PEOPLE_GUARDS } from './people-guards.ts';
import { PERIMETER_GUARDS } from './perimeter-guards.ts';
import { REVIEWED_FAULTS } from './reviewed-faults.ts';
import { RUN_FILE_GUARDS } from './run-file-guards.ts';
import { SECOND_REVIEW_FAULTS } from './second-review-faults.ts';
import { SESSION_GUARDS } from './session-guards.ts';
import { THIRD_REVIEW_GUARDS } from './third-review-guards.ts';
import { WORDS_GUARDS } from './words-guards.ts';

/** Every guard that `npm run test:guards` takes out of a copy of the project. */
export const EVERY_GUARD: readonly Guard[] = [
  ...PERIMETER_GUARDS,
  ...LIMIT_GUARDS,
  ...GUARDS,
  ...FILE_GUARDS,
  ...COMMAND_LINE_GUARDS,
  ...PEOPLE_GUARDS,
  ...HANDS_GUARDS,
  ...DIALOGS_GUARDS,
  ...INPUT_GUARDS,
  ...RUN_FILE_GUARDS,
  ...SESSION_GUARDS,
  ...REVIEWED_FAULTS,
  ...SECOND_REVIEW_FAULTS,
  ...THIRD_REVIEW_GUARDS,
  ...FILES_GUARDS,
  ...WORDS_GUARDS,
  ...MACHINE_GUARDS,
];
