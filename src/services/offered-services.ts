import type { OwnAccess } from '../contract/access.ts';
import type { ConsoleStatus, Requester, StolenSessionAnswer } from '../contract/console-status.ts';
import type { Health } from '../contract/health.ts';
import type { AuditResult, DaemonFacts, ReachTrials } from '../contract/settings.ts';
import type { Actions } from './actions/actions.ts';
import type { FileUndos } from './actions/file-undo.ts';
import type { Confirmations } from './confirmations/confirmations.ts';
import type { TargetPictures } from './confirmations/target-pictures.ts';
import type { Activity } from './console/activity.ts';
import type { Machines } from './console/machines.ts';
import type { PolicyDiffs } from './console/policy-diff.ts';
import type { RunFiles } from './console/run-files.ts';
import type { Runs } from './console/runs.ts';
import type { ConsoleSettingsStore } from './console/settings.ts';
import type { DevicesOfAll } from './devices.ts';
import type { GuardianService } from './guardian/guardian-service.ts';
import type { AllowedFolders } from './permissions/allowed-folders.ts';
import type { Grants } from './permissions/grants.ts';
import type { Permissions } from './permissions/permissions.ts';
import type { PersonsProcedures } from './procedures/person.ts';
import type { ProcedureService } from './procedures/wiring.ts';
import type { ArtifactKeeper, ArtifactService } from './records/artifacts.ts';
import type { Refusal } from './refusal.ts';
import type { ActionService, DeviceService, EventService, TaskService } from './requester-services.ts';
import type { Requesters } from './requesters/requesters.ts';
import type { ConsoleSessions } from './sessions/sessions.ts';
import type { Tasks } from './tasks/tasks.ts';

/** The interface for `http`. Every method takes the calling user; records of other users are not found. */
export type Services = {
  health(): Health;
  devices: DeviceService;
  actions: ActionService;
  tasks: TaskService;
  procedures: ProcedureService;
  /**
   * Calls back when the person denies this prompt in a way that can still be undone, or takes that back. Ends when the answered function
   * is called.
   */
  whenDenialChanges(confirmationId: string, callback: () => void): () => void;
  /** What the person lets a requester do now, with the time left. */
  ownAccess(userId: string): OwnAccess;
  artifacts: ArtifactService;
  console: ConsoleService;
  events: EventService;
  guardian: GuardianService;
  /** Whether a call under this id may be believed: it needs no key, or showed the right one. */
  isGenuine(userId: string, key: string | undefined): boolean;
  /** Whether the person has dealt with this requester before, so that made-up ids cannot crowd it out. */
  isKnown(userId: string): boolean;
  /** Is told of every error that a call ended with, to know of a damaged database. */
  noteFailure(error: unknown): void;
  /** Counts a refused request into the journal, at most two rows per kind and second. */
  noteRefusal(refusal: Pick<Refusal, 'refused' | 'countedAs' | 'from' | 'request'>): void;
};

/** The services that the person may use at the dashboard, for the records of every requester. */
export type ConsoleService = {
  sessions: Omit<ConsoleSessions, 'createCode' | 'takeUp' | 'keep' | 'isCodeGood' | 'codeSeen'>;
  confirmations: Pick<
    Confirmations,
    | 'list'
    | 'get'
    | 'shown'
    | 'extend'
    | 'hold'
    | 'decide'
    | 'undo'
    | 'denyAllOf'
    | 'denyStrangers'
    | 'pageOpened'
    | 'callTaken'
  >;
  /** The picture of the window or region that a prompt is about, taken now. */
  targetPicture: TargetPictures;
  grants: Pick<Grants, 'list' | 'revoke'>;
  profiles: Pick<Permissions, 'list' | 'put' | 'remove' | 'assign'>;
  policy: PolicyDiffs;
  folders: Pick<AllowedFolders, 'list' | 'allow' | 'remove'>;
  /** `removeKey`, `pause` and `resume` answer the requester in its new state. */
  requesters: Pick<Requesters, 'createKey'> &
    Record<'removeKey' | 'pause' | 'resume', (userId: string) => Requester | Refusal>;
  settings: ConsoleSettingsStore;
  devices: Pick<DevicesOfAll, 'all' | 'removeByPerson'>;
  machines: Machines;
  activity: Activity;
  procedures: PersonsProcedures;
  runs: Pick<Runs, 'list' | 'one'> & Pick<RunFiles, 'save'>;
  artifacts: Pick<ArtifactKeeper, 'openForPerson'>;
  actions: Pick<Actions, 'cancelByPerson'>;
  fileUndos: FileUndos;
  tasks: Pick<Tasks, 'all' | 'find' | 'cancelByPerson' | 'resolveStep'>;
  status(): ConsoleStatus;
  /** Stops everything, at once and until `resume`. */
  pause(): ConsoleStatus;
  /** Lifts the stop, once everything is recorded as ended that it ended. */
  resume(): Promise<ConsoleStatus>;
  /** Starts the agent that is offline, as if it had never ended. Any other is refused: there is nothing to start. */
  restartAgent(): ConsoleStatus | Refusal;
  /** Switches the accessibility of the desktop's session on, so that apps describe their windows. */
  switchAccessibilityOn(): Promise<ConsoleStatus | Refusal>;
  /** The person takes back the changes of a session whose code two programs had, or keeps them. */
  answerStolenSession(answer: StolenSessionAnswer): ConsoleStatus;
  /** Calls the person once in every way that is set up. */
  tryToReach(): Promise<ReachTrials>;
  /** The settings of the daemon, and how long it keeps data. */
  about(): DaemonFacts;
  verifyAudit(): Promise<AuditResult>;
};
