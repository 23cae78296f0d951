import type { DryRun } from '../../contract/action.ts';
import { describeScreen } from '../../domain/catalogue/screen.ts';
import { windowFacts } from '../../domain/catalogue/window-words.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, SubmissionAnswer } from '../requester-services.ts';
import { NOTHING, type Seen, seenIn } from '../targets/targets.ts';
import {
  type Admitted,
  admit,
  type CheckedSubmission,
  mayActOn,
  type Rules,
  type SightedSubmission,
} from './admission.ts';
import { referencesOf } from './checked-action.ts';
import type { SubmissionParts } from './submission-parts.ts';

type Parts = Pick<SubmissionParts, 'agents' | 'rules' | 'deviceOf'>;

/** Explains a submission and looks at its targets. Nothing is done. */
export async function dryRun(checked: CheckedSubmission, parts: Parts): Promise<SubmissionAnswer | Refusal> {
  const device = parts.deviceOf(checked.userId, checked.body.targetDeviceId);
  if (isRefusal(device)) return device;
  const agent = parts.agents.of(device.id);
  const references = mayActOn(device.machine, checked.userId, parts.rules) // guard N55-4
    ? referencesOf(checked.checked, { displays: agent.displays() })
    : [];
  if (references.length > 0) await agent.ready();
  const sight = references.length === 0 ? NOTHING : await agent.targets.sight(references, checked.userId);
  const permissions = Object.entries(agent.port.agent()?.permissions ?? {});
  const missingPermissions = permissions.filter(([, state]) => state === 'denied').map(([name]) => name);
  const explained = explain({ ...checked, sight }, device, { rules: parts.rules, missingPermissions });
  return isRefusal(explained) ? explained : { kind: 'dryRun', dryRun: explained };
}

type By = {
  rules: Rules;
  missingPermissions: string[];
  /** The rule by which something that was approved lets it through where the rules would ask. */
  coverOf?(admitted: Admitted): string | undefined;
};

/** The answer to a dry run. If the action itself would be refused, the answer says so with status `ok`. */
export function explain(submission: SightedSubmission, device: DeviceRow, by: By): DryRun | Refusal {
  const admitted = admit(submission, device, by.rules);
  if (isRefusal(admitted)) return explainRefusal(submission, device, admitted);
  const { assessment, judgement, checked } = admitted;
  const cover = judgement.verdict === 'ask' ? by.coverOf?.(admitted) : undefined;
  const { verdict, rule } = cover === undefined ? judgement : { verdict: 'allow' as const, rule: cover };
  const would = { allow: 'would run at once', ask: 'would ask the person', block: 'would be blocked' }[verdict];
  const explained: DryRun = {
    dryRun: true,
    actionType: submission.body.actionType,
    targetDeviceId: device.id,
    verdict,
    rule,
    risk: assessment.risk,
    target: assessment.target,
    missingPermissions: by.missingPermissions,
    details: `${admitted.sentenceForCaller()}: ${would}. Nothing was done.`,
  };
  const seen = seenIn(submission.sight, checked.references);
  const maySeeWindow = verdict !== 'block' && maySeeTitles(submission, device, by.rules);
  return withSeen(explained, seen, { maySeeWindow });
}

const NOT_LOOKED_UP =
  'The device agent has not looked up the target, so it stands here as it was submitted; try again when the agent is online.';

/** The target as the agent found it, or with the reason for which it would refuse. */
function withSeen(explained: DryRun, { targets, lost }: Seen, { maySeeWindow }: { maySeeWindow: boolean }): DryRun {
  if (lost !== undefined) {
    if (lost.reference.kind === 'window' && !maySeeWindow) return explained;
    const why = lost.code === 'agent_unavailable' ? NOT_LOOKED_UP : `The agent says: ${lost.message}`;
    return { ...explained, details: `${explained.details} ${why}` };
  }
  const [first] = targets;
  switch (first?.kind) {
    case 'app': {
      const { appName, bundleId } = first.app;
      return { ...explained, target: bundleId === undefined ? appName : `${appName} (${bundleId})` };
    }
    case 'window':
      return maySeeWindow ? { ...explained, target: visible(windowFacts(first.window)) } : explained;
    default:
      return explained;
  }
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

/** A dry run asks nobody, so it tells a title only to callers who may list the windows without being asked about. */
function maySeeTitles({ userId, body }: Submission, device: DeviceRow, rules: Rules): boolean {
  const listed = describeScreen.assess({});
  if (!listed.ok) return false;
  const judged = rules.permissions.judge({
    userId,
    named: body.profile,
    definition: describeScreen,
    assessment: listed.assessment,
    device,
  });
  return !isRefusal(judged) && judged.verdict === 'allow';
}
