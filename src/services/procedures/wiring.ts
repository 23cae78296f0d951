import type { ProcedureDraft, ProcedureSource } from '../../contract/procedure.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import type { Runs } from '../console/runs.ts';
import type { Context } from '../context.ts';
import type { DevicesOfAll } from '../devices.ts';
import type { Grants } from '../permissions/grants.ts';
import type { Refusal } from '../refusal.ts';
import type { TaskService } from '../requester-services.ts';
import { createDrafts } from './drafts.ts';
import type { LookParts } from './looks.ts';
import { createMissPictures } from './misses.ts';
import { createPersonsProcedures, type PersonsProcedures } from './person.ts';
import { createProcedures, type Procedures } from './procedures.ts';

/** Procedures as their requester sees them. */
export type ProcedureService = Omit<Procedures, 'find' | 'approvalsOf'> & {
  draft(userId: string, source: ProcedureSource): Promise<ProcedureDraft | Refusal>;
};

type Parts = LookParts & {
  tasks: Pick<TaskService, 'submit'>;
  runs: Pick<Runs, 'find' | 'list'>;
  grants: Pick<Grants, 'revoke'>;
  devices: Pick<DevicesOfAll, 'row'>;
  keepsEvidence(): boolean;
  isKnown(userId: string): boolean;
  home: string | undefined;
};

/** Procedures for requesters and for the person. */
export function createProcedureServices(
  context: Context,
  parts: Parts,
): { service: ProcedureService; persons: PersonsProcedures; taskEnded(task: TaskRow): void } {
  const all = createProcedures(context, parts);
  const { find, approvalsOf: _approvalsOf, ...procedures } = all;
  const drafts = createDrafts(context, parts);
  return {
    service: { ...procedures, draft: drafts.draft },
    persons: createPersonsProcedures(context, { ...parts, procedures: all, drafts }),
    taskEnded: createMissPictures(context, { ...parts, find }),
  };
}
