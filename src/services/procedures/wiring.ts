import type { ProcedureDraft, ProcedureSource } from '../../contract/procedure.ts';
import type { AgentQuestions } from '../agent/questions.ts';
import type { Runs } from '../console/runs.ts';
import type { Context } from '../context.ts';
import type { DevicesOfAll } from '../devices.ts';
import type { Grants } from '../permissions/grants.ts';
import type { Refusal } from '../refusal.ts';
import type { TaskService } from '../requester-services.ts';
import { createDrafts } from './drafts.ts';
import { createPersonsProcedures, type PersonsProcedures } from './person.ts';
import { createProcedures, type Procedures } from './procedures.ts';

/** Procedures as their requester sees them. */
export type ProcedureService = Omit<Procedures, 'find'> & {
  draft(userId: string, source: ProcedureSource): Promise<ProcedureDraft | Refusal>;
};

type Parts = {
  tasks: Pick<TaskService, 'submit'>;
  runs: Pick<Runs, 'find' | 'list'>;
  grants: Pick<Grants, 'revoke'>;
  devices: Pick<DevicesOfAll, 'row'>;
  questions: Pick<AgentQuestions, 'ask'>;
  isKnown(userId: string): boolean;
  home: string | undefined;
};

/** Procedures for requesters and for the person. */
export function createProcedureServices(
  context: Context,
  parts: Parts,
): { service: ProcedureService; persons: PersonsProcedures } {
  const { find, ...procedures } = createProcedures(context, parts);
  const drafts = createDrafts(context, parts);
  return {
    service: { ...procedures, draft: drafts.draft },
    persons: createPersonsProcedures(context, { ...parts, procedures: { ...procedures, find }, drafts }),
  };
}
