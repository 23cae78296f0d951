import { type FormEvent, useId, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import type { PersonsProcedure, Procedure, ProcedureApproval } from '../../../src/contract/procedure.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { AllowButton } from '../prompt/AnswerButtons.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { Choice } from './Choice.tsx';
import { countOf, linesOf, submissionOf } from './procedure-words.ts';

const DAYS = [1, 7, 30, 90].map((days) => [days, countOf(days, 'day')] as const);
const RUNS = [1, 10, 50, 500].map((runs) => [runs, countOf(runs, 'run')] as const);

type Props = {
  item: PersonsProcedure;
  targetDeviceId: string;
  /** The steps that are to do without a question what otherwise asks in every run. */
  critical: readonly string[];
  model: DashboardModel;
};

/** Approves a procedure as it is shown. Where a step asks by itself, the button is held, as for any grave approval. */
export function ApproveForm({ item, targetDeviceId, critical, model }: Props) {
  const { procedure } = item;
  const { userId, name } = procedure;
  const [days, setDays] = useState(7);
  const [runs, setRuns] = useState(10);
  const [isBusy, setBusy] = useState(false);
  const hintId = useId();
  const asking = linesOf(item).filter(({ step }) => step.asks);
  const left = asking.filter(({ step }) => !critical.includes(step.id)).map(({ number }) => String(number));
  const approve = async () => {
    if (isBusy) return;
    setBusy(true);
    const answer = await approved(model, procedure, { critical, terms: { userId, targetDeviceId, days, runs } });
    await model.act(Promise.resolve(answer), `“${name}” is approved.`);
    // The daemon says what was changed; the page's own sentence is about requests.
    if (!answer.ok && answer.failure.code === 'confirmation_stale') model.notices.problem(answer.failure.detail);
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asking.length === 0) void approve();
  };
  return (
    <form className="procedure-form" onSubmit={submit} aria-label={`Approve ${name}`}>
      <div className="procedure-fields">
        <Choice label="For" value={days} options={DAYS} onChange={setDays} />
        <Choice label="At most" value={runs} options={RUNS} onChange={setRuns} />
      </div>
      <p>
        You approve: <VisibleText>{userId}</VisibleText> makes {countOf(runs, 'run')} of these steps within{' '}
        {countOf(days, 'day')}
        {left.length === 0
          ? ', and none of them asks you.'
          : `. In each run ${left.length === 1 ? 'step' : 'steps'} ${new Intl.ListFormat('en-GB').format(left)} still ${left.length === 1 ? 'asks' : 'ask'} you.`}
      </p>
      {asking.length === 0 ? (
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Approve
        </button>
      ) : (
        <div data-risk="high">
          <AllowButton
            words="Hold to approve"
            arming={{ state: 'alive', canDeny: true }}
            isAlive={!isBusy}
            mustBeHeld
            hintId={hintId}
            onPress={async () => true}
            onAllow={() => void approve()}
          />
          <p className="hint" id={hintId}>
            Press for a second, then let go; on the keyboard, hold A.
          </p>
        </div>
      )}
    </form>
  );
}

type Wanted = { critical: readonly string[]; terms: Omit<ProcedureApproval, 'digest'> };

/** Another choice of steps is the next version of the procedure, made of the one that was shown. */
async function approved(
  { client }: DashboardModel,
  procedure: Procedure,
  { critical, terms }: Wanted,
): Promise<Reply<unknown>> {
  const { name, userId, digest, may } = procedure;
  const isAsShown = critical.length === may.critical.length && critical.every((id) => may.critical.includes(id));
  const listed = isAsShown ? undefined : await client.procedures();
  const isCurrent = listed?.ok === true && listed.value.items.some(isShown);
  // Nothing is kept in the place of a version that nobody has read; the daemon says that it is another one.
  if (!isCurrent) return client.approveProcedure(name, { ...terms, digest });
  const kept = await client.keepProcedure(userId, {
    ...submissionOf(procedure),
    may: { ...may, critical: [...critical] },
  });
  return kept.ok ? client.approveProcedure(name, { ...terms, digest: kept.value.digest }) : kept;

  function isShown({ procedure: each }: PersonsProcedure): boolean {
    return each.userId === userId && each.name === name && each.digest === digest;
  }
}
