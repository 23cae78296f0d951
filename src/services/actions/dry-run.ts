import type { DryRun, Verdict } from '../../contract/action.ts';
import { describeScreen } from '../../domain/catalogue/describe-screen.ts';
import { windowFacts } from '../../domain/catalogue/window-words.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import { resolvedAppIn } from '../agent/app-resolution.ts';
import type { AttemptOutcome } from '../agent/port.ts';
import { resolveWindow, type WindowAnswer } from '../agent/window-resolution.ts';
import { visible } from '../prompt-words.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, SubmissionAnswer } from '../requester-services.ts';
import { type CheckedSubmission, explain, type Rules } from './admission.ts';
import type { SubmissionParts } from './submission-parts.ts';
import { targetsOf, toLookUp } from './to-look-up.ts';

type Parts = Pick<SubmissionParts, 'port' | 'rules' | 'deviceOf' | 'ask' | 'apps' | 'paths' | 'agentReady'>;

/** Explains a submission and resolves its target. Nothing is done. */
export async function dryRun(submission: CheckedSubmission, parts: Parts): Promise<SubmissionAnswer | Refusal> {
  const device = parts.deviceOf(submission.userId, submission.body.targetDeviceId);
  if (isRefusal(device)) return device;
  const { paths } = toLookUp(submission.checked, parts.rules.displays());
  if (paths.length > 0) await parts.agentReady();
  await parts.paths.learn(paths);
  const permissions = Object.entries(parts.port.agent()?.permissions ?? {});
  const missingPermissions = permissions.filter(([, state]) => state === 'denied').map(([name]) => name);
  const explained = explain(submission, device, { rules: parts.rules, missingPermissions });
  if (isRefusal(explained)) return explained;
  const unknown = paths.map(parts.rules.paths.find).find((answer) => answer?.ok === false);
  if (unknown?.ok === false && unknown.error.code === 'agent_unavailable')
    return { kind: 'dryRun', dryRun: { ...explained, details: `${explained.details} ${NOT_FOLLOWED}` } };
  const { appName, windowId } = targetsOf(submission.checked, parts.rules.displays());
  if (explained.target !== null && appName !== undefined) {
    const found = await parts.apps.learn(appName);
    const again = explain(submission, device, { rules: parts.rules, missingPermissions });
    return isRefusal(again) ? again : { kind: 'dryRun', dryRun: withApp(again, found) };
  }
  const isShown = mayShowWindow(submission, device, { verdict: explained.verdict, rules: parts.rules });
  if (windowId === undefined || !isShown) return { kind: 'dryRun', dryRun: explained };
  const answer = await resolveWindow(parts.ask, windowId, explained.risk.level);
  return { kind: 'dryRun', dryRun: withWindow(explained, answer) };
}

const NOT_FOLLOWED =
  'The device agent has not looked up where the path leads, so the target is the path as it was submitted; try again when the agent is online.';

type Shown = Pick<DryRun, 'target' | 'details'>;

/** The target as the agent resolves it, or with the reason for which it would refuse. */
export function withApp<Explained extends Shown>(dryRun: Explained, outcome: AttemptOutcome | undefined): Explained {
  if (outcome === undefined) return dryRun;
  if (!outcome.ok) return withObjection(dryRun, outcome.message);
  const app = resolvedAppIn(outcome);
  if (app === undefined) return dryRun;
  return { ...dryRun, target: app.bundleId === undefined ? app.appName : `${app.appName} (${app.bundleId})` };
}

/** The same for a window. */
export function withWindow<Explained extends Shown>(dryRun: Explained, answer: WindowAnswer): Explained {
  if (!answer.ok) return withObjection(dryRun, answer.error.message);
  return { ...dryRun, target: visible(windowFacts(answer.window)) };
}

function withObjection<Explained extends Shown>(dryRun: Explained, message: string): Explained {
  return { ...dryRun, details: `${dryRun.details} The agent says: ${message}` };
}

/** Whether a dry run tells the caller about the window that an action names: only where the caller may know its title. */
export function mayShowWindow(
  submission: Submission,
  device: DeviceRow,
  { verdict, rules }: { verdict: Verdict; rules: Rules },
): boolean {
  return verdict !== 'block' && maySeeTitles(submission, device, rules);
}

/** A dry run asks nobody, so it tells a title only to callers who may list the windows without being asked about. */
function maySeeTitles({ userId, body }: Submission, device: DeviceRow, rules: Rules): boolean {
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
