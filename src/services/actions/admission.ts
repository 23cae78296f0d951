import { hash } from 'node:crypto';
import type { ActionError } from '../../contract/action.ts';
import type { Capability, Display } from '../../contract/device.ts';
import type { AllowedFolder, FileInside } from '../../contract/files.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { Target } from '../../contract/targets.ts';
import { actionError } from '../../domain/action-state.ts';
import { canonicalJson, canonicalObject } from '../../domain/canonical-json.ts';
import { withApps } from '../../domain/catalogue/apps.ts';
import type { ActionDefinition, Assessment, Seen } from '../../domain/catalogue/definition.ts';
import { accessOf, grantArguments, mayStand } from '../../domain/grant.ts';
import { type Judgement, refusedCapability, stricter } from '../../domain/profile.ts';
import { raisedOneLevel } from '../../domain/risk.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { ActionConfirmation, ConfirmationRow } from '../../store/records/confirmations.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { GrantRow } from '../../store/records/rules.ts';
import type { Grants } from '../permissions/grants.ts';
import type { Permissions } from '../permissions/permissions.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import { canonicalTargets, type Sight, seenIn, withoutContents } from '../targets/targets.ts';
import { type CheckedAction, checkAction, invalidParameters } from './checked-action.ts';

/** A submission with its action, or with the reason for which there can be no such action. */
export type CheckedSubmission = Submission & { checked: CheckedAction | Refusal };

/** The same once its targets were looked at. */
export type SightedSubmission = CheckedSubmission & { sight: Sight };

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
  /** Without the title of a window and the words on a control: callers learn those from a description, if they may have it. */
  sentenceForCaller(): string;
  /** Its targets, as the agent saw them. */
  targets: readonly Target[];
  /** Why one of its targets is not there, if so: it fails, and nobody is asked. */
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
  /** The contents of an artifact of a user, as far as they are kept. */
  artifactOf(userId: string, artifactId: string): FileInside | undefined;
  /** The folders that the person allowed a user. */
  foldersOf(userId: string, machine: string): readonly AllowedFolder[];
  /** The displays of the machine of a device; none while its agent is not connected. */
  displays(deviceId: string): readonly Display[];
  /** Whether the person let this requester act on a machine. */
  hasLeave(userId: string, machine: string): boolean;
  /** A target with the mark that a program of it holds a signed-in dashboard, if so. */
  marked(target: Target): Target;
  /** Whether a sign-in code is good now, which the screen or the clipboard may show. */
  isCodeGood(): boolean;
};

/** A program that enters the code before the person does gets the person's session. */
const CODE_IS_GOOD = 'A sign-in code is good now, and a look could show it.';

/** Checks the capabilities for a submission and judges it and its targets under the person's rules and grants. */
export function admit(
  { userId, body, step, isStep = step !== undefined, caution, sight, checked }: SightedSubmission,
  device: DeviceRow,
  rules: Rules,
): Admitted | Refusal {
  if (isRefusal(checked)) return checked;
  const { definition } = checked;
  const { targets: seen, lost } = seenIn(sight, checked.references);
  const { machine } = device;
  const targets = machine === LOCAL ? seen.map(rules.marked) : seen;
  const displays = rules.displays(device.id);
  const byName = assessed(checked, { userId, targets, displays, machine }, rules);
  if (isRefusal(byName)) return byName;
  const assessment = raisedFor(raisedFor(withApps(byName, targets), step?.taint), caution);
  const refused = refusedCapability(assessment, device.capabilities);
  if (refused !== undefined) return capabilityMissing({ userId, device, definition, capability: refused });
  const byRules = rules.permissions.judge({ userId, named: body.profile, definition, assessment, device });
  if (isRefusal(byRules)) return byRules;
  const mayShowCode = assessment.showsContents === true && rules.isCodeGood(); // guard A26-1
  const asked = mayShowCode ? stricter(byRules, { verdict: 'ask', rule: CODE_IS_GOOD }) : byRules;
  const isNewThere = !mayActOn(machine, userId, rules);
  const there = isNewThere ? stricter(asked, { verdict: 'ask', rule: firstOn(machine) }) : asked; // guard N55-1
  const judged = caution === undefined ? there : stricter(there, { verdict: 'ask', rule: caution }); // guard E-2
  const subject = { userId, deviceId: device.id, actionType: body.actionType };
  const grant =
    // The person gave the grant for the name, and did not know which app it hides.
    judged.verdict === 'ask' && !mayShowCode && !isNewThere && caution === undefined && assessment.isHidden !== true
      ? standingAnswer({ ...subject, taskId: step?.taskId }, { parameters: checked.parameters, assessment }, rules)
      : undefined;
  return {
    checked,
    byName,
    assessment,
    judgement:
      grant === undefined
        ? rules.permissions.outsidePlan(judged, { userId, named: body.profile, isStep })
        : { verdict: 'allow', rule: `A grant lets it through: ${grant.literal}` },
    grantId: grant?.id,
    targets: targets.map(withoutContents),
    lost: lost === undefined ? unsupportedPart(assessment) : actionError(lost.code, lost.message, lost.fix),
    digest: digestOf(subject, {
      parameters: checked.arguments(),
      targets: canonicalTargets(targets, assessment),
    }),
    targetDigest: () => digestOf(subject, { target: canonicalJson(assessment.denialTarget) }),
    sentenceForCaller() {
      const bare = targets.some(isOnScreen) ? checked.assess({ displays, machine }) : undefined;
      return bare?.ok === true ? bare.assessment.sentence : assessment.sentence;
    },
  };
}

/** Whether the person let this requester act on a machine. Before that it sees of it what its device record says, and nothing of its screen. */
export function mayActOn(machine: string, userId: string, rules: Pick<Rules, 'hasLeave'>): boolean {
  return machine === LOCAL || rules.hasLeave(userId, machine);
}

function firstOn(machine: string): string {
  return `This requester has not acted on ${machine} before.`;
}

/** A grant for exactly this, or for acting in its app. */
function standingAnswer(
  { taskId, ...subject }: Subject & { taskId: string | undefined },
  { parameters, assessment }: Pick<CheckedAction, 'parameters'> & Pick<Admitted, 'assessment'>,
  { grants }: Rules,
): GrantRow | undefined {
  const bound = () => grantArguments({ actionType: subject.actionType, parameters }, assessment.covers);
  const mayBeCovered = mayStand(assessment) || assessment.isPartOfWider === true;
  const exact = mayBeCovered ? grants.find({ ...subject, arguments: bound() }, taskId) : undefined;
  return exact ?? grants.findAccess(subject, accessOf(assessment));
}

function isOnScreen(target: Target): boolean {
  return target.kind === 'window' || 'control' in target;
}

function unsupportedPart({ unsupported }: Assessment): ActionError | undefined {
  return unsupported === undefined ? undefined : actionError('not_supported', unsupported);
}

/** The assessment by the parameters, their targets, and the artifact that they name if they do. */
function assessed(
  checked: CheckedAction,
  { userId, ...seen }: Pick<Required<Seen>, 'targets' | 'displays' | 'machine'> & { userId: string },
  rules: Rules,
): Assessment | Refusal {
  const known = { ...seen, folders: rules.foldersOf(userId, seen.machine) };
  const first = checked.assess(known);
  const artifactId = first.ok ? first.assessment.artifactId : undefined;
  const artifact = artifactId === undefined ? undefined : rules.artifactOf(userId, artifactId);
  const all = artifact === undefined ? first : checked.assess({ ...known, artifact });
  return all.ok ? all.assessment : invalidParameters(checked.definition, all.faults);
}

function raisedFor(assessment: Assessment, reason: string | undefined): Assessment {
  return reason === undefined ? assessment : { ...assessment, risk: raisedOneLevel(assessment.risk, reason) };
}

type Subject = { userId: string; deviceId: string; actionType: string };

/**
 * SHA-256 over the canonical form (RFC 8785) of an action, or of its type and target, with its user and device. The other members
 * come in canonical form.
 */
function digestOf({ userId, deviceId, actionType }: Subject, members: Record<string, string | undefined>): string {
  const subject = {
    userId: canonicalJson(userId),
    deviceId: canonicalJson(deviceId), // guard E-1
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

/** The calls to the prompts that actions make. */
export type Asking = {
  /** Stores the prompt for an action; only inside the transaction that stores the action. */
  insert(action: ActionRow, targetDigest: string): ActionConfirmation;
  /** Ends the prompt in time, unless the person answers before. */
  watch(row: ConfirmationRow): void;
  wasJustDenied(userId: string, asked: Pick<Admitted, 'digest' | 'targetDigest'>): boolean;
  pendingCounts(userId: string): { ofUser: number; inAll: number };
  isOpen(action: ActionRow): boolean;
  /** Makes the prompt one of the rules of now. `renewed` is called once that is stored. */
  renew(action: ActionRow, risk: RiskLevel): void;
  renewed(action: ActionRow): void;
  /** Removes the prompt of an action that needs none now. `released` is called once that is stored. */
  remove(action: ActionRow): void;
  released(action: ActionRow): void;
};
