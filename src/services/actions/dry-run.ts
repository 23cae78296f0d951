import type { DryRun } from '../../contract/action.ts';
import { describeScreen } from '../../domain/catalogue/describe-screen.ts';
import { windowFacts } from '../../domain/catalogue/window-words.ts';
import type { DeviceRow } from '../../store/devices.ts';
import type { AttemptOutcome } from '../agent-port.ts';
import { resolvedAppIn } from '../app-resolution.ts';
import { visible } from '../confirmations/prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, SubmissionAnswer } from '../services.ts';
import { resolveWindow } from '../window-resolution.ts';
import { explain } from './admission.ts';
import type { SubmissionParts } from './submission.ts';

type Parts = Pick<SubmissionParts, 'port' | 'rules' | 'deviceOf' | 'ask' | 'apps'>;

/** Explains a submission and resolves its target. Nothing is done. */
export async function dryRun(submission: Submission, parts: Parts): Promise<SubmissionAnswer | Refusal> {
  const device = parts.deviceOf(submission.userId, submission.body.targetDeviceId);
  if (isRefusal(device)) return device;
  const permissions = Object.entries(parts.port.agent()?.permissions ?? {});
  const missingPermissions = permissions.filter(([, state]) => state === 'denied').map(([name]) => name);
  const explained = explain(submission, device, { rules: parts.rules, missingPermissions });
  if (isRefusal(explained)) return explained;
  const { appName, windowId } = submission.body.parameters;
  if (explained.target !== null && typeof appName === 'string') {
    const found = await parts.apps.learn(appName);
    const again = explain(submission, device, { rules: parts.rules, missingPermissions });
    return isRefusal(again) ? again : { kind: 'dryRun', dryRun: withApp(again, found) };
  }
  if (typeof windowId === 'string' && explained.verdict !== 'block' && maySeeTitles(submission, device, parts))
    return { kind: 'dryRun', dryRun: await withWindow(explained, windowId, parts) };
  return { kind: 'dryRun', dryRun: explained };
}

/** The target as the agent resolves it, or with the reason for which it would refuse. */
function withApp(dryRun: DryRun, outcome: AttemptOutcome | undefined): DryRun {
  if (outcome === undefined) return dryRun;
  if (!outcome.ok) return withObjection(dryRun, outcome.message);
  const app = resolvedAppIn(outcome);
  if (app === undefined) return dryRun;
  return { ...dryRun, target: app.bundleId === undefined ? app.appName : `${app.appName} (${app.bundleId})` };
}

async function withWindow(dryRun: DryRun, windowId: string, { ask }: Parts): Promise<DryRun> {
  const answer = await resolveWindow(ask, windowId, dryRun.risk.level);
  if (!answer.ok) return withObjection(dryRun, answer.error.message);
  return { ...dryRun, target: visible(windowFacts(answer.window)) };
}

function withObjection(dryRun: DryRun, message: string): DryRun {
  return { ...dryRun, details: `${dryRun.details} The agent says: ${message}` };
}

/** A dry run asks nobody, so it tells a title only to callers who may list the windows without being asked about. */
function maySeeTitles({ userId, body }: Submission, device: DeviceRow, { rules }: Parts): boolean {
  const listed = describeScreen.assess({});
  if (!listed.ok) return false;
  const { assessment } = listed;
  const judged = rules.permissions.judge({
    userId,
    named: body.profile,
    definition: describeScreen,
    assessment,
    device,
  });
  return !isRefusal(judged) && judged.verdict === 'allow';
}
