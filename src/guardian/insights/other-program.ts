import { evidenceOf, inspect } from './evidence.ts';
import type { Facts, ProgramChange } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

/** The program is looked up when a request has come, and stored this much later at most. */
const SAME_REQUEST_MS = 60_000;
const HIGH: readonly string[] = ['high', 'critical'];
/** One denial of a new program is usual. Several, and at least as many as were allowed, say that the person does not want it. */
const LEAST_REFUSED = 2;

/**
 * A requester's name is used by a program that never used it before. By itself that is worth knowing and no more: a new version or
 * another terminal does it too. It is a warning once something risky came under the name since then.
 */
export function otherProgram(facts: Facts): Finding[] {
  return facts.programChanges.map((change) => {
    const { userId, now, before } = change;
    return {
      subject: `other_program ${userId} ${now}`,
      category: 'safety',
      severity: isRisky(change, facts) ? 'warning' : 'info',
      title: `${REQUESTER} now calls from ${now}, before from ${before}`,
      detail:
        'Any program can call itself by this name, unless you lock the name with a key. If you did not start this program, pause the requester.',
      metricTypes: ['novel_action_share'],
      evidence: evidenceOf([change]),
      ...inspect([change]),
      userId,
    };
  });
}

/**
 * Whether a high-risk action ran without a prompt, or the person refused at least half of the high-risk prompts. A prompt names the
 * program, so the person knows the program behind each action that they allowed.
 */
function isRisky({ userId, atMs }: ProgramChange, { requests, prompts }: Facts): boolean {
  const since = requests.filter(
    (each) => each.userId === userId && HIGH.includes(each.risk) && each.createdAtMs >= atMs - SAME_REQUEST_MS,
  );
  const ids = new Set(since.map(({ actionId }) => actionId));
  const answered = prompts.filter(({ actionId }) => actionId !== null && ids.has(actionId));
  const allowed = new Set(answered.filter(({ status }) => status === 'allowed').map(({ actionId }) => actionId));
  const refused = answered.filter(({ status }) => status === 'denied').length;
  const isUnasked = since.some(
    ({ actionId, startedAtMs, planId }) => startedAtMs !== null && planId === null && !allowed.has(actionId),
  );
  return isUnasked || (refused >= LEAST_REFUSED && refused >= allowed.size);
}
