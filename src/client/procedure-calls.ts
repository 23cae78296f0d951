import type {
  IntentSubmission,
  PersonsProcedure,
  Procedure,
  ProcedureApproval,
  ProcedureDraft,
  ProcedureHint,
  ProcedureMend,
  ProcedureSource,
  ProcedureSubmission,
} from '../contract/procedure.ts';
import type { Task, TaskDryRun } from '../contract/task.ts';
import type { Reply } from './reply.ts';

type Send = <Value>(line: string, body?: object) => Promise<Reply<Value>>;

/** The person's calls about procedures of any requester. */
export function procedureCalls(send: Send) {
  const user = (userId: string) => `/api/console/users/${encodeURIComponent(userId)}`;
  const intents = (userId: string) => `POST ${user(userId)}/intents`;
  return {
    procedures: () => send<{ items: PersonsProcedure[]; leftOut: number }>('GET /api/console/procedures'),
    draftProcedure: (source: ProcedureSource) => send<ProcedureDraft>('POST /api/console/procedures/draft', source),
    /** Keeps it, or its next version, for a requester. It allows nothing until it is approved. */
    keepProcedure: (userId: string, procedure: ProcedureSubmission) =>
      send<Procedure>(`PUT ${user(userId)}/procedures`, procedure),
    removeProcedure: (userId: string, name: string) =>
      send<undefined>(`DELETE ${user(userId)}/procedures/${encodeURIComponent(name)}`),
    approveProcedure: (name: string, approval: ProcedureApproval) =>
      send<PersonsProcedure>(`POST /api/console/procedures/${encodeURIComponent(name)}/approve`, approval),
    /** How often the steps of the run of an action were allowed this week. */
    procedureHint: (actionId: string) => send<ProcedureHint>(`GET /api/console/procedures/hint/${actionId}`),
    /** Where a run of a procedure stopped; `looks`: and what is there now. */
    mendProcedure: (taskId: string, looks: boolean) =>
      send<ProcedureMend>(`GET /api/console/tasks/${taskId}/mend${looks ? '?look=true' : ''}`),
    runProcedure: (userId: string, intent: IntentSubmission) => send<Task>(intents(userId), intent),
    /** Finds every name now, and does nothing. */
    tryProcedure: (userId: string, intent: IntentSubmission) =>
      send<TaskDryRun>(intents(userId), { ...intent, dryRun: true }),
  };
}
