import type { AllowedFolder } from '../contract/files.ts';
import type { DashboardProgram } from '../contract/own-window.ts';

/** An allowed folder, with the user that it is allowed for; `*` is everybody. */
export type Allowance = AllowedFolder & { userId: string };

/** The folders that were allowed before a change of the person, and after it. */
export type LostFolders = { before: readonly Allowance[]; after: readonly Allowance[] };

/**
 * Why actions may no longer be sent. A removed device ends all its actions; the other reasons end queued actions. Folders that were
 * lost also end actions that wait for the person or run, and need one of them; a dashboard that was opened, the input to its program.
 */
export type CallOff =
  | { because: 'device_removed'; deviceId: string }
  | { because: 'requester_paused'; userId: string }
  | { because: 'grant_revoked'; grantId: string }
  | { because: 'rules_changed' }
  | { because: 'dashboard_opened'; program: DashboardProgram }
  | ({ because: 'folders_lost' } & LostFolders);

/**
 * Chooses the actions of now that are called off. `note` belongs into the transaction that stores the reason, `begin` comes after
 * it.
 */
export type CallsOff = { prepare(callOff: CallOff): PreparedCallOff };

/** `count`: how many actions it concerns. */
export type PreparedCallOff = { count: number; note(): void; begin(): void };
