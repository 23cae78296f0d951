import { hash } from 'node:crypto';
import type { ActionError, DryRun } from '../../contract/action.ts';
import type { Capability, Display } from '../../contract/device.ts';
import type { AllowedFolder, FileInside, ResolvedPath } from '../../contract/files.ts';
import type { ResolvedWindow } from '../../contract/screen.ts';
import { actionError } from '../../domain/action-error.ts';
import { canonicalJson, canonicalObject } from '../../domain/canonical-json.ts';
import { withAppRisks } from '../../domain/catalogue/app-target.ts';
import type { ActionDefinition, Assessment } from '../../domain/catalogue/definition.ts';
import { mayStand } from '../../domain/grant.ts';
import { type Judgement, refusedCapability, stricter } from '../../domain/profile.ts';
import { raisedOneLevel } from '../../domain/risk.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { KnownApps } from '../agent/app-resolution.ts';
import type { KnownPaths } from '../agent/path-resolution.ts';
import type { Grants } from '../permissions/grants.ts';
import type { Permissions } from '../permissions/permissions.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import { type CheckedAction, checkAction, invalidParameters } from './checked-action.ts';

/** A submission with its action, or with the reason for which there can be no such action. */
export type CheckedSubmission = Submission & { checked: CheckedAction | Refusal };

export function checkSubmission(submission: Submission): CheckedSubmission {
  return { ...submission, checked: checkAction(submission.body) };
}

/**
 * A submission that may become an action: its type and risk, the verdict of the rules, and the digest that an approval is
 * bound to.
 */
export type Admitted = {
  checked: CheckedAction;
  /** The assessment by the parameters and their targets. The prompt shows this one, with the risk of the other. */
  byName: Assessment;
  /** The same with the risks that only the device knows, and the risk of parameters that come from an earlier result. */
  assessment: Assessment;
  judgement: Judgement;
  digest: string;
  /** The digest of its type and target, for which a denial counts; worked out only for an action that asks. */
  targetDigest(): string;
  /** Without the title of a window: callers learn that from the list of windows, if they may have it. */
  sentenceForCaller(): string;
  /** The window that it is about, as the agent saw it. */
  window?: ResolvedWindow | undefined;
  /** Where its paths lead, as the agent saw it. */
  files?: readonly ResolvedPath[] | undefined;
  /** Why one of its paths leads nowhere, if so: it fails, and nobody is asked. */
  lost?: ActionError | undefined;
  /** The standing answer that lets it through, where the rules would ask. */
  grantId?: string | undefined;
  /** The approved plan of its task that lets it through, where the rules would ask. */
  planId?: string | undefined;
  /** Since when the step of that plan could have been sent. */
  readySinceMs?: number | undefined;
};

export type Rules = {
  permissions: Permissions;
  grants: Grants;
  apps: KnownApps;
  paths: KnownPaths;
  /** The contents of an artifact of a user, as far as they are kept. */
  artifactOf(userId: string, artifactId: string): FileInside | undefined;
  /** The folders that the person allowed a user. */
  foldersOf(userId: string): readonly AllowedFolder[];
  /** The displays that the connected agent has; none while none is connected. */
  displays(): readonly Display[];
};

/** Checks the capabilities for a submission and judges it under the person's rules and grants. */
export function admit(
  { userId, body, step, caution, window: answer, checked }: CheckedSubmission,
  device: DeviceRow,
  rules: Rules,
): Admitted | Refusal {
  if (isRefusal(checked)) return checked;
  const { definition } = checked;
  const window = answer?.ok === true ? answer.window : undefined;
  const displays = rules.displays();
  const named = assessedWithPaths(checked, { userId, window, displays }, rules);
  if (isRefusal(named)) return named;
  const { byName, files, lost } = named;
  const assessment = raisedFor(raisedFor(onDevice(byName, rules.apps), step?.taint), caution);
  const refused = refusedCapability(assessment, device.capabilities);
  if (refused !== undefined) return capabilityMissing({ userId, device, definition, capability: refused });
  const byRules = rules.permissions.judge({ userId, named: body.profile, definition, assessment, device });
  if (isRefusal(byRules)) return byRules;
  const judged = caution === undefined ? byRules : stricter(byRules, { verdict: 'ask', rule: caution });
  const subject = { userId, deviceId: device.id, actionType: body.actionType };
  const grant =
    // The person gave the grant for the name, and did not know which app it hides. The id of a window is never granted.
    judged.verdict === 'ask' && caution === undefined && assessment.isHidden !== true && mayStand(assessment)
      ? rules.grants.find({ ...subject, arguments: assessment.covers?.key ?? checked.arguments() }, step?.taskId)
      : undefined;
  return {
    checked,
    byName,
    assessment,
    judgement: grant === undefined ? judged : { verdict: 'allow', rule: `A grant lets it through: ${grant.literal}` },
    grantId: grant?.id,
    window,
    files: files?.map(withoutContents),
    lost: lost ?? unsupportedPart(assessment),
    digest: digestOf(subject, {
      parameters: checked.arguments(),
      window: window && canonicalJson(window),
      files: files && canonicalJson(files.map(({ realPath }) => realPath)),
      contents: assessment.contentsDigest && canonicalJson(assessment.contentsDigest),
    }),
    targetDigest: () => digestOf(subject, { target: canonicalJson(assessment.denialTarget) }),
    sentenceForCaller() {
      const bare = window === undefined ? undefined : checked.assess({ displays });
      return bare?.ok === true ? bare.assessment.sentence : assessment.sentence;
    },
  };
}

function unsupportedPart({ unsupported }: Assessment): ActionError | undefined {
  return unsupported === undefined ? undefined : actionError('not_supported', unsupported);
}

type Named = { byName: Assessment; files?: readonly ResolvedPath[]; lost?: ActionError | undefined };

type Sighted = { userId: string; window: ResolvedWindow | undefined; displays: readonly Display[] };

/** The assessment, with the places to which the paths of the action lead if it names any. */
function assessedWithPaths(
  checked: CheckedAction,
  { userId, window, displays }: Sighted,
  rules: Rules,
): Named | Refusal {
  const first = checked.assess({ window, displays });
  if (!first.ok) return invalidParameters(checked.definition, first.faults);
  const { files: asked = [], artifactId } = first.assessment;
  if (asked.length === 0) return { byName: first.assessment };
  const answers = asked.flatMap((question) => rules.paths.find(question) ?? []);
  const files = answers.flatMap((answer) => (answer.ok ? answer.file : []));
  const lost = answers.find((answer) => !answer.ok)?.error;
  // No folder can make a path harmless that the agent has not followed.
  if (files.length === 0) return { byName: first.assessment, files, lost };
  const artifact = artifactId === undefined ? undefined : rules.artifactOf(userId, artifactId);
  const again = checked.assess({ window, displays, files, folders: rules.foldersOf(userId), artifact });
  return again.ok ? { byName: again.assessment, files, lost } : invalidParameters(checked.definition, again.faults);
}

/** The contents decided about the risk, and are kept no longer: their digest is enough to compare them. */
function withoutContents({ inside: _inside, ...file }: ResolvedPath): ResolvedPath {
  return file;
}

function onDevice(assessment: Assessment, apps: KnownApps): Assessment {
  return withAppRisks(
    assessment,
    assessment.apps.flatMap((appName) => apps.risksOf(appName)),
  );
}

function raisedFor(assessment: Assessment, reason: string | undefined): Assessment {
  return reason === undefined ? assessment : { ...assessment, risk: raisedOneLevel(assessment.risk, reason) };
}

/** The answer to a dry run. If the action itself would be refused, the answer says so with status `ok`. */
export function explain(
  submission: CheckedSubmission,
  device: DeviceRow,
  by: { rules: Rules; missingPermissions: string[] },
): DryRun | Refusal {
  const admitted = admit(submission, device, by.rules);
  if (isRefusal(admitted)) return explainRefusal(submission, device, admitted);
  const { assessment, judgement } = admitted;
  return {
    dryRun: true,
    actionType: submission.body.actionType,
    targetDeviceId: device.id,
    verdict: judgement.verdict,
    rule: judgement.rule,
    risk: assessment.risk,
    target: assessment.target,
    missingPermissions: by.missingPermissions,
    details: `${assessment.sentence}: ${{ allow: 'would run at once', ask: 'would ask the person', block: 'would be blocked' }[judgement.verdict]}. Nothing was done.`,
  };
}

function explainRefusal({ body }: Submission, device: DeviceRow, refusal: Refusal): DryRun | Refusal {
  const isExplained = refusal.refused === 'unknown_action_type' || refusal.refused === 'capability_missing';
  if (!isExplained) return refusal;
  return {
    dryRun: true,
    actionType: body.actionType,
    targetDeviceId: device.id,
    verdict: 'block',
    rule: refusal.detail,
    risk: {
      level: 'high',
      reasons: ['An unknown action type, or one the device does not allow, counts as high risk.'],
    },
    target: null,
    missingPermissions: [],
    details: `Would be refused: ${refusal.detail}`,
  };
}

type Subject = { userId: string; deviceId: string; actionType: string };

/**
 * SHA-256 over the canonical form (RFC 8785) of an action, or of its type and target, with its user and device. The other members
 * come in canonical form.
 */
function digestOf({ userId, deviceId, actionType }: Subject, members: Record<string, string | undefined>): string {
  const subject = {
    userId: canonicalJson(userId),
    deviceId: canonicalJson(deviceId),
    actionType: canonicalJson(actionType),
  };
  return hash('sha256', canonicalObject({ ...subject, ...members }));
}

function capabilityMissing(by: {
  userId: string;
  device: DeviceRow;
  definition: ActionDefinition;
  capability: Capability;
}): Refusal {
  const { userId, device, definition, capability } = by;
  return {
    refused: 'capability_missing',
    detail: `${definition.name} needs ${capability}, which the device "${device.name}" was registered without. Register a device that has it.`,
    facts: { capability },
    request: { userId, deviceId: device.id, capability },
  };
}
