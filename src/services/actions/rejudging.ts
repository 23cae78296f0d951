import type { ActionRow } from '../../store/records/actions.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { createSlices, type Piece } from '../work/slices.ts';
import { type Admitted, type Asking, admit, type Rules, type SightedSubmission } from './admission.ts';
import type { CallOffs } from './call-offs.ts';
import { withdrawal } from './cancellation.ts';
import type { Execution } from './execution.ts';
import type { LiveActions } from './live-actions.ts';

export type Rejudging = ReturnType<typeof createRejudging>;

type Parts = {
  live: LiveActions;
  rules: Rules;
  confirmations: Asking;
  execution: Execution;
  callOffs: Pick<CallOffs, 'isCalledOff'>;
  deviceOf(userId: string, deviceId: string): DeviceRow | Refusal;
  /** Why nothing is taken now, if so. */
  stopped(): Refusal | undefined;
};

/**
 * Judges the actions that wait for the person anew when a rule, a folder or a grant has changed. An action that is allowed now runs,
 * one that is blocked now ends, and the prompts of the others show their risk of now. There may be a hundred, and a script takes a
 * while to judge, so this is done in slices. Until its turn comes a prompt of the old rules can only be denied.
 */
export function createRejudging(context: Context, parts: Parts) {
  const { log } = context;
  const { live, confirmations } = parts;
  const asking = new Map<string, SightedSubmission>();
  const slices = createSlices(context, { done: () => undefined, failed });

  function failed(error: unknown): void {
    log.error({ err: error }, 'the rules changed, but a prompt could not be judged anew yet; it is tried again');
  }

  function judgeAnew(id: string, isRuleChange: boolean): void {
    const [row, submission] = [live.get(id), asking.get(id)];
    if (row?.status !== 'awaiting_confirmation' || submission === undefined) return;
    if (parts.callOffs.isCalledOff(id) || parts.stopped() !== undefined || !confirmations.isOpen(row)) return; // guard A6-10
    const now = admittedNow(row, submission, parts);
    if (isRefusal(now)) withdraw(context, parts, row, now.detail);
    else if (now.judgement.verdict === 'block') withdraw(context, parts, row, `Blocked. ${now.judgement.rule}`);
    else if (now.judgement.verdict === 'allow') release(context, parts, row, now);
    else if (isRuleChange) ask(context, parts, row, now);
  }

  function* pieces(isRuleChange: boolean): Generator<Piece> {
    for (const id of [...asking.keys()]) yield () => judgeAnew(id, isRuleChange);
  }

  function all(isRuleChange: boolean): void {
    if (asking.size > 0) slices.begin(pieces(isRuleChange));
  }

  return {
    /** Keeps the submission of an action that asks. */
    note(row: ActionRow, submission: SightedSubmission): void {
      if (row.status !== 'awaiting_confirmation') return;
      asking.set(row.id, submission);
      live.whenEnded(row.id, () => asking.delete(row.id));
    },
    rulesChanged: (): void => all(true),
    /** The person gave a grant: it may let other actions that wait through. Nothing else changes for these. */
    granted: (): void => all(false),
  };
}

/** Under the rules of now, with the targets that the person is asked about. The agent compares them when it acts. */
function admittedNow(
  row: ActionRow,
  submission: SightedSubmission,
  { deviceOf, rules }: Pick<Parts, 'deviceOf' | 'rules'>,
): Admitted | Refusal {
  const device = deviceOf(row.userId, row.deviceId);
  return isRefusal(device) ? device : admit(submission, device, rules);
}

function withdraw(context: Context, { live }: Parts, row: ActionRow, because: string): void {
  const details = `The rules changed before the person answered; nothing was done. ${because}`;
  live.change(row, withdrawal(context, row, details));
}

/** The judgement of an action by the present rules. */
function judgementOf({ assessment, judgement, grantId }: Admitted) {
  return { risk: assessment.risk, rule: judgement.rule, grantId };
}

function release(context: Context, { live, confirmations, execution }: Parts, row: ActionRow, now: Admitted): void {
  const { store, clock } = context;
  const judged = judgementOf(now);
  const released = live.change(row, {
    event: { kind: 'released' },
    patch: { decidedAtMs: clock.nowMs(), details: 'Waiting for its turn.', ...judged },
    metadata: { by: judged.grantId ?? 'profile', risk: judged.risk.level },
    also() {
      store.actions.judgeAnew(row.id, judged);
      confirmations.remove(row);
    },
  });
  if (released === undefined) return;
  confirmations.released(row);
  execution.enqueue(released);
}

function ask({ store }: Context, { live, confirmations }: Parts, row: ActionRow, now: Admitted): void {
  const judged = judgementOf(now);
  const renewed: ActionRow = { ...row, ...judged };
  store.write('durable', () => {
    store.actions.judgeAnew(row.id, judged);
    confirmations.renew(row, judged.risk.level);
  });
  live.keep(renewed, now);
  confirmations.renewed(row);
}
