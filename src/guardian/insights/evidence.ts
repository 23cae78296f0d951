import type { Finding } from './finding.ts';
import { REQUESTER } from './finding.ts';

/** Enough to see what it is about; the action log has the rest. */
const MOST = 20;

type OfAction = { actionId: string | null };

/** The actions that show something, in the order they are given: newest first. */
export function evidenceOf(shown: readonly OfAction[]): string[] {
  return [...new Set(shown.flatMap(({ actionId }) => actionId ?? []))].slice(0, MOST);
}

/** The requester that more than half of the evidence comes from, if there is one. */
export function mainRequester(shown: readonly { userId: string }[]): string | undefined {
  const byUser = Map.groupBy(shown, ({ userId }) => userId);
  return [...byUser].find(([, ofUser]) => ofUser.length * 2 > shown.length)?.[0];
}

/** Offers to pause the requester of more than half of the actions. Without one it offers to inspect the latest action, if there is any. */
export function pauseOrInspect(
  shown: readonly (OfAction & { userId: string })[],
): Pick<Finding, 'action' | 'userId' | 'evidence'> {
  const evidence = evidenceOf(shown);
  const userId = mainRequester(shown);
  if (userId === undefined) return { evidence, ...inspect(shown) };
  const label = `Pause ${REQUESTER}`;
  return { evidence, userId, action: { kind: 'pause_requester', label, target: REQUESTER } };
}

/** The app that most of them act in, as the end of a sentence; nothing where none names one. */
export function mostIn(shown: readonly { app: string | null }[]): string {
  const byApp = Map.groupBy(shown, ({ app }) => app ?? '');
  const [most] = [...byApp].filter(([app]) => app !== '').toSorted(([, one], [, other]) => other.length - one.length);
  return most === undefined ? '' : `, most in ${most[0]}`;
}

/** Look at the latest of them. */
export function inspect(shown: readonly OfAction[]): Pick<Finding, 'action'> {
  const [latest] = evidenceOf(shown);
  if (latest === undefined) return {};
  return { action: { kind: 'inspect', label: 'Look at the latest of them', target: latest } };
}
