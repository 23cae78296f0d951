import { type FormEvent, useState } from 'react';
import type { Failure, Reply } from '../../../src/client/call.ts';
import type { ProcedureDraft, ProcedureStep } from '../../../src/contract/procedure.ts';
import type { Run } from '../../../src/contract/run.ts';
import { typeWords } from '../activity/activity-words.ts';
import { Choice, FieldFault } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../hooks.ts';
import { addressOf, goTo } from '../pages.ts';
import { runTitle, spanWords, subjectOfRun } from '../runs/run-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { type Leaf, leavesOf, madeOf, proposedVariable, proposedVariables, type Variable } from './procedure-draft.ts';

/** Earlier runs that are offered to be compared with. */
const MOST_OTHERS = '20';

type Props = { actionId: string; model: DashboardModel };
type Made = ProcedureDraft & {
  userId: string;
  others: readonly Run[];
  variables: Readonly<Record<string, Variable>>;
};

/** A procedure made of a run: the person names it and says which values differ in each run. Nothing is kept before they save. */
export function DraftForm({ actionId, model }: Props) {
  const [comparedWith, compare] = useState('');
  return (
    <div className="sheet">
      <h1>New procedure</h1>
      <a href={addressOf({ page: 'activity', subject: subjectOfRun(actionId) })}>← Back to the run</a>
      <LoadedDraft key={comparedWith} actionId={actionId} comparedWith={comparedWith} compare={compare} model={model} />
    </div>
  );
}

type LoadedProps = Props & { comparedWith: string; compare(actionId: string): void };

function LoadedDraft({ actionId, comparedWith, compare, model }: LoadedProps) {
  const { value, failure } = useLoaded(model, () => draftOf(model, actionId, comparedWith));
  if (value === undefined) return <p>{failure?.detail ?? 'Loading…'}</p>;
  const options = value.others.map((run) => [run.id, `${runTitle(run)}, ${spanWords(run)}`] as const);
  return (
    <>
      {options.length > 0 && (
        <div className="procedure-fields">
          <Choice
            label="Compare with"
            value={comparedWith}
            options={[['', 'no other run'], ...options]}
            onChange={compare}
          />
          <span className="hint">What differs between the two is proposed as a value that differs in each run.</span>
        </div>
      )}
      <Draft made={value} model={model} />
    </>
  );
}

/** The values stay those of the run; what another run has in their place is only proposed. */
async function draftOf({ client }: DashboardModel, actionId: string, comparedWith: string): Promise<Reply<Made>> {
  const run = await client.run(actionId);
  if (!run.ok) return run;
  const { id, userId } = run.value;
  const source = { name: 'New procedure', runOf: actionId };
  const [draft, compared, runs] = await Promise.all([
    client.draftProcedure(source),
    comparedWith === '' ? undefined : client.draftProcedure({ ...source, comparedWith }),
    client.runs(new URLSearchParams({ requester: userId, limit: MOST_OTHERS }).toString()),
  ]);
  if (!draft.ok) return draft;
  if (compared?.ok === false) return compared;
  const others = runs.ok ? runs.value.items.filter((other) => other.id !== id) : [];
  const faults = compared?.value.faults ?? draft.value.faults;
  const variables = compared === undefined ? {} : proposedVariables(compared.value.draft);
  return { ok: true, value: { ...draft.value, faults, userId, others, variables } };
}

type ValueOfStepProps = {
  leaf: Leaf;
  number: number;
  /** Absent while the value stays as it is. */
  variable: Variable | undefined;
  propose: () => Variable;
  onChange: (variable: Variable | undefined) => void;
};

const KINDS = [
  ['text', 'any text'],
  ['pattern', 'a text that matches'],
  ['choice', 'one of a list'],
  ['path', 'a path in'],
] as const;
const EXAMPLES = { pattern: '\\d{4}-W\\d{2}', choice: 'one a line', path: '~/Reports', number: '1 to 9' };

/** A value of a step, and whether it differs in each run: then its name and its bound. */
function ValueOfStep({ leaf: { key, value }, number, variable, propose, onChange }: ValueOfStepProps) {
  const label = visibleText(key.slice(key.indexOf('/') + 1).replaceAll('/', ' '));
  const Field = variable?.kind === 'choice' ? 'textarea' : 'input';
  return (
    <div className="procedure-fields">
      <span>
        {label}: <Quoted>{String(value)}</Quoted>
      </span>
      {(typeof value === 'string' || typeof value === 'number') && (
        <label className="choice">
          <input
            type="checkbox"
            role="switch"
            className="switch"
            aria-checked={variable !== undefined}
            checked={variable !== undefined}
            onChange={({ target }) => onChange(target.checked ? propose() : undefined)}
          />
          <span className="visually-hidden">
            Step {number}, {label}:
          </span>
          differs in each run
        </label>
      )}
      {variable !== undefined && (
        <>
          <label className="field">
            Called
            <input
              value={variable.name}
              onChange={({ target }) => onChange({ ...variable, name: target.value })}
              required
              pattern="[a-z][A-Za-z0-9_]{0,31}"
              title="a small letter, then letters, digits and _"
            />
          </label>
          {variable.kind !== 'number' && (
            <Choice
              label="May be"
              value={variable.kind}
              options={KINDS}
              onChange={(kind) => onChange({ ...variable, kind, detail: '' })}
            />
          )}
          {variable.kind !== 'text' && (
            <Field
              aria-label={`Bound of ${variable.name}`}
              value={variable.detail}
              required
              placeholder={EXAMPLES[variable.kind]}
              spellCheck={false}
              onChange={({ target }: { target: { value: string } }) => onChange({ ...variable, detail: target.value })}
            />
          )}
        </>
      )}
    </div>
  );
}

function Draft({ made: { userId, draft, faults, variables: proposed }, model }: { made: Made; model: DashboardModel }) {
  const [name, setName] = useState('');
  const [variables, setVariables] = useState(proposed);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure & { steps: readonly ProcedureStep[] }>();
  const faultsOf = (step: ProcedureStep) => [
    ...faultsAt(faults, `/steps/${draft.steps.indexOf(step)}`),
    ...faultsAt(failure?.errors, `/steps/${failure?.steps.findIndex(({ id }) => id === step.id)}`),
    ...leavesOf(step).flatMap(({ key }) => faultsAt(failure?.errors, `/parameters/${variables[key]?.name}`)),
  ];
  const leaveOut = (id: string) => setLeftOut(leftOut.has(id) ? without(leftOut, id) : new Set([...leftOut, id]));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const procedure = madeOf(draft, { name, variables, leftOut });
    const kept = await model.client.keepProcedure(userId, procedure);
    if (!kept.ok) return setFailure({ ...kept.failure, steps: procedure.steps });
    goTo({ page: 'procedures' });
    await model.act(Promise.resolve(kept), `“${name}” is kept. It runs without a question once you approve it.`);
  };
  return (
    <form className="procedure-form" onSubmit={save} aria-label="New procedure">
      <p className="hint">
        For <VisibleText>{userId}</VisibleText>, whose run this was. It allows nothing until you approve it.
      </p>
      <label className="field">
        Name
        <input
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          maxLength={60}
          autoComplete="off"
        />
      </label>
      <FieldFault id="compare-fault" fault={faults?.find(({ pointer }) => pointer === '/steps')?.message} />
      <ol className="procedure-steps" aria-label="Steps">
        {draft.steps.map((step, index) => (
          <li key={step.id} data-risk={faultsOf(step).length > 0 ? 'high' : undefined}>
            <div className="card-head">
              <StepWords number={index + 1} step={step} isLeftOut={leftOut.has(step.id)} />
              <button
                type="button"
                className="quiet"
                aria-pressed={leftOut.has(step.id)}
                onClick={() => leaveOut(step.id)}
              >
                Leave out <span className="visually-hidden">step {index + 1}</span>
              </button>
            </div>
            {!leftOut.has(step.id) && (
              <>
                {faultsOf(step).map((fault) => (
                  <p key={fault} className="field-fault">
                    <VisibleText>{fault}</VisibleText>
                  </p>
                ))}
                {leavesOf(step).map((leaf) => (
                  <ValueOfStep
                    key={leaf.key}
                    leaf={leaf}
                    number={index + 1}
                    variable={variables[leaf.key]}
                    propose={() =>
                      proposedVariable(
                        step,
                        leaf,
                        Object.values(variables).map((each) => each.name),
                      )
                    }
                    onChange={(variable) => setVariables(withVariable(variables, leaf.key, variable))}
                  />
                ))}
              </>
            )}
          </li>
        ))}
      </ol>
      <FieldFault id="draft-fault" fault={failure?.detail} />
      <button type="submit" className="primary">
        Save
      </button>
    </form>
  );
}

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((each) => each !== id));

function withVariable(all: Readonly<Record<string, Variable>>, key: string, variable: Variable | undefined) {
  const { [key]: _replaced, ...others } = all;
  return variable === undefined ? others : { ...others, [key]: variable };
}

/** In words, with the member that a fault is about. */
function faultsAt(faults: ProcedureDraft['faults'] = [], place: string): string[] {
  const there = faults.filter(({ pointer }) => `${pointer}/`.startsWith(`${place}/`));
  return there.map(({ pointer, message }) => {
    const [, ...members] = pointer.slice(place.length + 1).split('/');
    const words = [...members, message].join(' ');
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  });
}

type WordsProps = { number: number; step: ProcedureStep; isLeftOut: boolean };

function StepWords({ number, step: { actionType, target, expect }, isLeftOut }: WordsProps) {
  const file = expect?.file;
  const path = typeof file === 'object' ? file.$parameter : file;
  const expected = expect?.window ?? expect?.element?.name ?? expect?.text ?? path;
  const code = expect?.exitCode;
  return (
    <p className={isLeftOut ? 'procedure-left-out' : undefined}>
      {number}. {typeWords(actionType)}
      {target !== undefined && (
        <>
          {' on the '}
          <VisibleText>{target.role}</VisibleText> <Quoted>{target.name}</Quoted> of <Quoted>{target.app}</Quoted>
        </>
      )}
      {expected !== undefined && (
        <>
          , then expects <Quoted>{expected}</Quoted>
        </>
      )}
      {code !== undefined && `, then expects the code ${code}`}
    </p>
  );
}
