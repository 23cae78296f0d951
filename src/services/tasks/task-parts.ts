import type { SubmissionParts } from '../actions/submission-parts.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';

/** The parts that tasks need of the other services: those of their actions, and the prompts with the plans. */
export type TaskParts = SubmissionParts & { confirmations: Confirmations };
