import { useState } from 'react';
import type { Failure } from '../../../src/client/reply.ts';
import type { ProcedureMend, ProcedureStep } from '../../../src/contract/procedure.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault } from '../FieldFault.tsx';
import { goTo } from '../use-place.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Choice } from './Choice.tsx';
import { submissionOf } from './procedure-words.ts';

/** A run of a procedure stopped: the person looks at what is there now and chooses the control that was meant. */
export function Mend({ taskId, model }: { taskId: string; model: DashboardModel }) {
  const [found, setFound] = useState<ProcedureMend>();
  const [failure, setFailure] = useState<Failure>();
  const look = async () => {
    const answer = await model.client.mendProcedure(taskId);
    setFound(answer.ok ? answer.value : undefined);
    setFailure(answer.ok ? undefined : answer.failure);
  };
  return (
    <section className="procedure-form" aria-label="Mend the procedure">
      <button type="button" onClick={() => void look()}>
        {found === undefined ? 'Mend…' : 'Look again'}
      </button>
      <FieldFault id="mend-fault" fault={failure?.detail} />
      {found !== undefined && <Meant key={JSON.stringify(found)} found={found} model={model} />}
    </section>
  );
}

function Meant({ found, model }: { found: ProcedureMend; model: DashboardModel }) {
  const { procedure, stepId, isExpectation, wanted, problem, controls } = found;
  const [chosen, choose] = useState<number>();
  const meant = chosen === undefined ? undefined : controls[chosen]?.target;
  const mended = (step: ProcedureStep): ProcedureStep => {
    if (meant === undefined || step.id !== stepId) return step;
    const { withinMs } = step.expect ?? {};
    const expect = { element: { role: meant.role, name: meant.name }, withinMs };
    return isExpectation ? { ...step, expect } : { ...step, target: meant };
  };
  const save = async () => {
    const next = { ...submissionOf(procedure), steps: procedure.steps.map(mended) };
    const kept = await model.client.keepProcedure(procedure.userId, next);
    if (kept.ok) goTo({ page: 'procedures' });
    await model.act(
      Promise.resolve(kept),
      `“${procedure.name}” is mended. It asks in each run until you approve it again.`,
    );
  };
  return (
    <>
      <p>
        Step <code>{stepId}</code>
        {!problem.includes(wanted) && (
          <>
            {isExpectation ? ' then expected ' : ' looked for '}
            <VisibleText>{wanted}</VisibleText>
          </>
        )}
        : <VisibleText>{problem}</VisibleText>
      </p>
      <Choice
        label={isExpectation ? 'What tells that it worked' : 'The control that is meant'}
        value={chosen ?? -1}
        options={[[-1, 'choose…'], ...controls.map(({ words }, index) => [index, words] as const)]}
        onChange={(index) => choose(index < 0 ? undefined : index)}
      />
      {controls.length === 0 && <p className="hint">No control with a name is on the screen now.</p>}
      <button
        type="button"
        className="primary"
        aria-disabled={meant === undefined}
        onClick={() => meant && void save()}
      >
        Save as the next version
      </button>
    </>
  );
}
