import { type FormEvent, useEffect, useId, useState } from 'react';
import type { Failure } from '../../../src/client/reply.ts';
import type { ProcedureDraft, ProcedureStep } from '../../../src/contract/procedure.ts';
import { typeWords } from '../activity/activity-words.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault } from '../FieldFault.tsx';
import { addressOf } from '../pages.ts';
import { Quoted } from '../Quoted.tsx';
import { subjectOfRun } from '../runs/run-words.ts';
import { goTo } from '../use-place.ts';
import { VisibleText } from '../VisibleText.tsx';
import { leavesOf, madeOf, proposedVariable, type Variable } from './procedure-draft.ts';
import { VariableFields } from './VariableFields.tsx';

type Props = { actionId: string; model: DashboardModel };
type Made = { userId: string; draft: ProcedureDraft };

const NEW_NAME = 'New procedure';

/** A procedure made of a run: the person names it and says which values differ in each run. Nothing is kept before they save. */
export function DraftForm({ actionId, model }: Props) {
  const [made, setMade] = useState<Made>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    void draftOf(model, actionId).then((answer) => (answer.ok ? setMade(answer.value) : setFailure(answer.failure)));
  }, [model, actionId]);
  const back = addressOf({ page: 'activity', subject: subjectOfRun(actionId) });
  return (
    <div className="sheet">
      <h1>New procedure</h1>
      <a className="back" href={back}>
        ← Back to the run
      </a>
      {made === undefined ? (
        <p className="hint">{failure === undefined ? 'Loading…' : <VisibleText>{failure.detail}</VisibleText>}</p>
      ) : (
        <Draft made={made} model={model} />
      )}
    </div>
  );
}

async function draftOf({ client }: DashboardModel, actionId: string) {
  const run = await client.run(actionId);
  if (!run.ok) return run;
  const draft = await client.draftProcedure({ name: NEW_NAME, runOf: actionId });
  return draft.ok ? { ok: true as const, value: { userId: run.value.userId, draft: draft.value } } : draft;
}

function Draft({ made: { userId, draft }, model }: { made: Made; model: DashboardModel }) {
  const [name, setName] = useState('');
  const [variables, setVariables] = useState<ReadonlyMap<string, Variable>>(new Map());
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<{ failure: Failure; stepIds: readonly string[] }>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const faultsOf = (step: ProcedureStep) => [
    ...faultsAt(draft.faults, `/steps/${draft.draft.steps.indexOf(step)}`),
    ...faultsAt(refused?.failure.errors ?? [], `/steps/${refused?.stepIds.indexOf(step.id)}`),
    ...leavesOf(step).flatMap(({ key }) =>
      faultsAt(refused?.failure.errors ?? [], `/parameters/${variables.get(key)?.name}`),
    ),
  ];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const procedure = madeOf(draft.draft, { name, variables, leftOut });
    const kept = await model.client.keepProcedure(userId, procedure);
    setBusy(false);
    if (!kept.ok) return setRefused({ failure: kept.failure, stepIds: procedure.steps.map((step) => step.id) });
    await model.act(
      Promise.resolve(kept),
      `The procedure “${name}” is kept. It runs without a question once you approve it.`,
    );
    goTo({ page: 'procedures' });
  };
  return (
    <form className="procedure-form" onSubmit={save} aria-label="New procedure">
      <p className="hint">
        Made of a run of <VisibleText>{userId}</VisibleText>, for <VisibleText>{userId}</VisibleText>. It allows nothing
        until you approve it.
      </p>
      <span className="procedure-value">
        <label htmlFor={id}>Name</label>
        <input
          id={id}
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={60}
          title="letters, digits, spaces and . _ -"
          autoComplete="off"
        />
      </span>
      <ol className="procedure-steps" aria-label="Steps">
        {draft.draft.steps.map((step, index) => (
          <DraftStep
            key={step.id}
            step={step}
            number={index + 1}
            faults={leftOut.has(step.id) ? [] : faultsOf(step)}
            isLeftOut={leftOut.has(step.id)}
            onLeaveOut={() => setLeftOut(toggled(leftOut, step.id))}
            variables={variables}
            onVary={setVariables}
          />
        ))}
      </ol>
      <FieldFault id={`${id}-fault`} fault={refused?.failure.detail} />
      <div className="card-buttons">
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Save
        </button>
      </div>
    </form>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set(ids.has(id) ? [...ids].filter((each) => each !== id) : [...ids, id]);
}

type Fault = ProcedureDraft['faults'][number];

function faultsAt(faults: readonly Fault[], place: string): string[] {
  const there = faults.filter(({ pointer }) => `${pointer}/`.startsWith(`${place}/`));
  return there.map(({ pointer, message }) =>
    `${pointer.slice(place.length + 1).replaceAll('/', ' ')} ${message}`.trim(),
  );
}

type StepProps = {
  step: ProcedureStep;
  number: number;
  faults: readonly string[];
  isLeftOut: boolean;
  onLeaveOut: () => void;
  variables: ReadonlyMap<string, Variable>;
  onVary: (variables: ReadonlyMap<string, Variable>) => void;
};

function DraftStep({ step, number, faults, isLeftOut, onLeaveOut, variables, onVary }: StepProps) {
  const taken = [...variables.values()].map(({ name }) => name);
  const vary = (key: string, variable: Variable | undefined) => {
    const next = new Map(variables);
    if (variable === undefined) next.delete(key);
    else next.set(key, variable);
    onVary(next);
  };
  return (
    <li className={faults.length > 0 ? 'procedure-step asked' : 'procedure-step'} data-risk="high">
      <div className="card-head">
        <p className={isLeftOut ? 'procedure-left-out' : undefined}>
          {number}. <StepWords step={step} />
        </p>
        <button type="button" className="quiet" aria-pressed={isLeftOut} onClick={onLeaveOut}>
          Leave out <span className="visually-hidden">step {number}</span>
        </button>
      </div>
      {faults.map((fault) => (
        <p key={fault} className="procedure-missing">
          <VisibleText>{fault}</VisibleText>
        </p>
      ))}
      {!isLeftOut &&
        leavesOf(step).map((leaf) => (
          <VariableFields
            key={leaf.key}
            leaf={leaf}
            number={number}
            variable={variables.get(leaf.key)}
            onSwitch={(isOn) => vary(leaf.key, isOn ? proposedVariable(step, leaf, taken) : undefined)}
            onChange={(variable) => vary(leaf.key, variable)}
          />
        ))}
    </li>
  );
}

function StepWords({ step: { actionType, target, expect } }: { step: ProcedureStep }) {
  const expected = expect?.window ?? expect?.element?.name ?? expect?.text;
  return (
    <>
      {typeWords(actionType)}
      {target !== undefined && (
        <>
          {' on the '}
          <VisibleText>{target.role}</VisibleText> <Quoted>{target.name}</Quoted> of{' '}
          <VisibleText>{target.app}</VisibleText>
        </>
      )}
      {expected !== undefined && (
        <span className="hint">
          {' · then expects '}
          <Quoted>{expected}</Quoted>
        </span>
      )}
    </>
  );
}
