import type { Action, ActionType } from '../contract/action.ts';
import type { ActivityDetail, ListedAction } from '../contract/activity.ts';
import type { Device } from '../contract/device.ts';
import type { Machine } from '../contract/machine.ts';
import type { MachineList, MachineView } from '../contract/machine-view.ts';
import type { Run } from '../contract/run.ts';
import type { AuditResult, ConsoleSettings, DaemonFacts } from '../contract/settings.ts';
import type { Task } from '../contract/task.ts';
import type { Reply } from './reply.ts';

/** Sends a call, such as `GET /api/console/devices`, with the key of the session. */
type Send = <Value>(line: string, body?: object) => Promise<Reply<Value>>;

/** The calls of the pages Activity, Devices and Settings. */
export function recordCalls(send: Send) {
  return {
    settings: () => send<ConsoleSettings>('GET /api/console/settings'),
    putSettings: (settings: ConsoleSettings) => send<ConsoleSettings>('PUT /api/console/settings', settings),
    about: () => send<DaemonFacts>('GET /api/console/about'),
    verifyAudit: () => send<AuditResult>('GET /api/console/audit/verify'),
    devices: () => send<{ items: Device[] }>('GET /api/console/devices'),
    removeDevice: (id: string) => send<undefined>(`DELETE /api/console/devices/${encodeURIComponent(id)}`),
    machines: () => send<MachineList>('GET /api/console/machines'),
    addMachine: (machine: Machine) => send<MachineList>('POST /api/console/machines', machine),
    testMachine: (name: string) => send<MachineView>(`POST /api/console/machines/${encodeURIComponent(name)}/test`),
    removeMachine: (name: string) => send<MachineList>(`DELETE /api/console/machines/${encodeURIComponent(name)}`),
    /** `query`: limit, cursor and filters of `GET /api/console/activity`. */
    activity: (query: string) =>
      send<{ items: ListedAction[]; nextCursor: string | null }>(`GET /api/console/activity?${query}`),
    /** `query`: limit, cursor and filters of `GET /api/console/runs`. */
    runs: (query: string) => send<{ items: Run[]; nextCursor: string | null }>(`GET /api/console/runs?${query}`),
    run: (id: string) => send<Run>(`GET /api/console/runs/${encodeURIComponent(id)}`),
    activityDetail: (id: string) => send<ActivityDetail>(`GET /api/console/activity/${encodeURIComponent(id)}`),
    /** Puts back the file that an action overwrote or moved to the trash. */
    undoAction: (id: string) => send<Action>(`POST /api/console/actions/${encodeURIComponent(id)}/undo`),
    /** `query`: limit, cursor and filters of `GET /api/console/tasks`. */
    tasks: (query: string) => send<{ items: Task[]; nextCursor: string | null }>(`GET /api/console/tasks?${query}`),
    task: (id: string) => send<Task>(`GET /api/console/tasks/${encodeURIComponent(id)}`),
    actionTypes: () => send<{ items: ActionType[] }>('GET /api/tee/action-types'),
  };
}
