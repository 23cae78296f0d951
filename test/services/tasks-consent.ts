import type { Confirmation } from '../../src/contract/console.ts';
import type { PerformParams } from '../../src/contract/link.ts';
import { actionOf, planOf } from '../http/confirmation-queue.ts';

const LEVELS = ['low', 'medium', 'high', 'critical'];
/** The highest risk level that runs without approval, as RULES.md has it. */
const FREE_UP_TO = { assist: 'low', trusted: 'medium' } as const;

export type ProfileName = keyof typeof FREE_UP_TO;

/** What leaves the daemon, and the risk level it was judged at. */
type Sent = PerformParams & { level: string };

type Approval = { level: string; parameters: string; policy: number; uses: number };

/** What the person has said yes to, known from the prompts alone, and what may be sent because of it. */
export function createConsent(profile: ProfileName) {
  /** Of plans by step, of prompts for one action by that action. */
  const approvals = new Map<string, Approval>();
  let current = profile;
  let policy = 0;

  function approve(key: string, { level, parameters }: { level: string; parameters: string }): void {
    approvals.set(key, { level, parameters, policy, uses: 0 });
  }

  /** Why this is no yes to what is sent; nothing when it is one. */
  function fault(approval: Approval | undefined, sent: Sent): string | undefined {
    if (approval === undefined) return 'without a yes';
    if (approval.policy !== policy) return 'on a yes that was given under other rules';
    if (rank(sent.level) > rank(approval.level)) return `at ${sent.level} risk on a yes to ${approval.level}`;
    if (canonical(sent.parameters) !== canonical(JSON.parse(approval.parameters))) return 'with other parameters';
    if (approval.uses > 0 && sent.effectClass === 'once') return 'a second time on one yes';
    return undefined;
  }

  return {
    isAsked: (level: string): boolean => rank(level) > rank(FREE_UP_TO[current]),
    /** The person has said yes to a prompt. */
    allowed(confirmation: Confirmation): void {
      const { prompt } = confirmation;
      const action = actionOf(confirmation);
      if (action !== undefined) approve(action.actionId, { level: prompt.risk.level, parameters: prompt.arguments });
      for (const step of planOf(confirmation)?.steps ?? [])
        if (step.consent === 'asked') approve(step.id, { level: step.risk.level, parameters: step.arguments });
    },
    /** The yes was not taken. */
    takenBack(confirmation: Confirmation): void {
      const steps = planOf(confirmation)?.steps ?? [];
      for (const key of [actionOf(confirmation)?.actionId ?? '', ...steps.map(({ id }) => id)]) approvals.delete(key);
    },
    /** The answer takes the change back. */
    rulesChanged(to: ProfileName): () => void {
      const before = current;
      current = to;
      policy += 1;
      return () => {
        current = before;
        policy -= 1;
      };
    },
    /** A restart, in whatever way: nothing that was said before counts. */
    ended: (): void => approvals.clear(),
    /** Why it should not have been sent, used up as it is judged. */
    faults(stepId: string, sent: Sent): string[] {
      if (rank(sent.level) <= rank(FREE_UP_TO[current])) return [];
      const own = approvals.get(sent.actionId);
      const approval = own ?? approvals.get(stepId);
      const found = fault(approval, sent);
      if (approval !== undefined) approval.uses += 1;
      return found === undefined ? [] : [`${stepId} was sent ${found}`];
    },
  };
}

function rank(level: string): number {
  return LEVELS.indexOf(level);
}

/** Members in one order; the parameters here have no depth. */
function canonical(parameters: object): string {
  return JSON.stringify(Object.entries(parameters).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
