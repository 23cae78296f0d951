import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import { DEFAULT_SETTINGS } from '../../src/services/console/settings.ts';
import type { ConsoleService } from '../../src/services/offered-services.ts';
import { refused } from './refused.ts';

const STATUS: ConsoleStatus = {
  paused: false,
  locked: false,
  agent: 'online',
  waiting: 0,
  running: 0,
  requesters: [],
  underWay: [],
  lastEventId: '0',
};
const noItems = () => ({ items: [] });
const noPage = async () => ({ items: [], nextCursor: null });
const noProfiles = () => ({ items: [], assignments: [] });
const noRequester = () => refused('not_found', 'Nobody has asked for anything.');
const noAction = (actionId: string) => refused('action_not_found', `There is no action ${actionId}.`);
const noTask = (taskId: string) => refused('task_not_found', `There is no task ${taskId}.`);

const NO_CHANGE = { count: 0, examples: [] };
export const NO_DIFF = {
  days: 7,
  judged: 0,
  withoutContents: 0,
  now: { allow: 0, ask: 0, block: 0 },
  would: { allow: 0, ask: 0, block: 0 },
  newlyAllowed: NO_CHANGE,
  newlyAsked: NO_CHANGE,
  newlyBlocked: NO_CHANGE,
};

const noMachine = () => refused('not_found', 'There is no machine.');

const noProcedure = () => refused('not_found', 'There is no procedure.');

/** A console without any records. The tests of the services cover the behaviour of the real one. */
export const EMPTY_CONSOLE: Omit<ConsoleService, 'sessions' | 'confirmations'> = {
  targetPicture: async (id) => refused('artifact_not_found', `There is no picture of the target of ${id}.`),
  grants: { list: () => [], revoke: () => refused('not_found', 'There is no such grant.') },
  profiles: { list: noProfiles, put: noProfiles, remove: noProfiles, assign: noProfiles },
  policy: { diff: async () => NO_DIFF, watch: async () => NO_DIFF },
  folders: { list: noItems, allow: async () => noItems(), remove: noItems },
  requesters: {
    createKey: () => ({ key: 'fresh-key' }),
    removeKey: noRequester,
    pause: noRequester,
    resume: noRequester,
  },
  settings: { get: () => DEFAULT_SETTINGS, put: (settings) => settings },
  devices: { all: () => [], removeByPerson: () => refused('device_not_found', 'There is no such device.') },
  machines: { list: noItems, add: noItems, tryNow: async () => noMachine(), remove: noItems },
  activity: { list: noPage, detail: noAction },
  runs: { list: noPage, one: async (id) => noAction(id), save: async (id) => noAction(id) },
  procedures: {
    all: async () => ({ items: [], leftOut: 0 }),
    draft: async () => noProcedure(),
    hint: async (id) => noAction(id),
    mend: async (id) => noTask(id),
    keep: noProcedure,
    remove: noProcedure,
    run: async () => noProcedure(),
    approve: noProcedure,
  },
  artifacts: { openForPerson: async (id) => refused('artifact_not_found', `There is no artifact ${id}.`) },
  actions: { cancelByPerson: noAction },
  fileUndos: { undo: async (actionId) => noAction(actionId) },
  tasks: { all: noPage, find: noTask, cancelByPerson: noTask, resolveStep: noTask },
  status: () => STATUS,
  pause: () => ({ ...STATUS, paused: true }),
  resume: async () => STATUS,
  answerStolenSession: () => STATUS,
  tryToReach: async () => ({ items: [] }),
  switchAccessibilityOn: async () => STATUS,
  restartAgent: () => ({ ...refused('agent_not_offline', 'The agent is online.'), facts: { agent: 'online' } }),
  about: () => ({
    version: '0.1.0',
    variables: [],
    connectCommand: 'node /opt/handrail/src/launch/handrail.cjs connect',
    retention: [],
  }),
  verifyAudit: async () => ({ valid: true, rows: 0 }),
};
