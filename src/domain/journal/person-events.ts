import { GrantScope } from '../../contract/console.ts';
import { FolderAccess, UndoKind } from '../../contract/files.ts';
import { INSIGHT_CATEGORIES } from '../../contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../contract/insight-severities.ts';
import { RISK_CAUSES } from '../../contract/risk.ts';
import { amount, flag, oneOf, optional, text, texts } from './facts.ts';

/** The person's work at the dashboard, and the insights that Guardian told them. */
export const PERSON_EVENTS = {
  'session.opened': { sessionId: text },
  /** The person signed out. */
  'session.closed': {},
  'session.ended': { sessionIds: texts },
  /** A wrong code. `spent`: it was ours, and was used or had expired. `first`: no wrong one came before it since the latest was made. */
  'session.refused': { spent: optional(flag), first: optional(flag) },
  /** A code was entered twice, which ended the sessions that followed from it. */
  'session.code_reused': { sessionIds: texts },
  /** A look of a requester ended the unused code, since it could have shown it. */
  'session.code_seen': {},
  'grant.created': { grantId: text, scope: oneOf(GrantScope.enum), type: text },
  /** `because`: the person did not revoke it, but opened the dashboard in that app. */
  'grant.revoked': { grantId: text, because: optional(text) },
  'profile.changed': { profile: text },
  'profile.removed': { profile: text },
  /** `from`: the profile that held for them before. */
  'profile.assigned': { profile: text, to: text, from: optional(text) },
  /** A folder that requesters may use; `folder` is a digest of its path. */
  'folder.allowed': { to: text, folder: text, access: oneOf(FolderAccess.enum) },
  'folder.removed': { to: text, folder: text },
  /** The person wants the file of an action back. `what`: the action overwrote it or moved it to the trash. */
  'file.undo_requested': { what: oneOf(UndoKind.enum) },
  'file.undone': { what: oneOf(UndoKind.enum) },
  'file.undo_failed': { what: oneOf(UndoKind.enum), errorCode: text },
  'settings.changed': { promptExpiryMs: amount, keepsEvidence: optional(flag), acceptsOtherDaemons: optional(flag) },
  'risk.cause_known': { cause: oneOf(RISK_CAUSES), untilMs: amount },
  /** The person took the mark away: the cause counts again. */
  'risk.cause_counts': { cause: oneOf(RISK_CAUSES) },
  'insight.told': {
    insightId: text,
    severity: oneOf(INSIGHT_SEVERITIES),
    category: oneOf(INSIGHT_CATEGORIES),
    title: text,
  },
  'insight.acknowledged': { insightId: text },
};

/** Requesters, and requests from which no action came. */
export const REQUESTER_EVENTS = {
  'requester.paused': {},
  'requester.resumed': {},
  'requester.key_created': {},
  'requester.key_removed': {},
  /** A requester, or the person for it, kept a procedure or its next version, or removed it. */
  'procedure.kept': { digest: text },
  'procedure.removed': { digest: text },
  /** The program that submitted an action or a task. `because`: why it is unknown. */
  'requester.program': {
    program: text,
    because: optional(text),
    /** The program that made the connection, where another one held it when the request was read. */
    changedFrom: optional(text),
    script: optional(text),
    startedBy: optional(text),
    taskId: optional(text),
  },
  /**
   * Requests that were refused alike within a second. `as`: a finer word than the problem's code. `from`: the host of a web page, or a
   * user id.
   */
  'request.refused': {
    code: text,
    count: amount,
    as: optional(text),
    from: optional(text),
    capability: optional(text),
  },
};
