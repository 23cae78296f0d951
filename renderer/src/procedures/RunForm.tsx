import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Failure } from '../../../src/client/call.ts';
import type { Bound, PersonsProcedure, StepInWords } from '../../../src/contract/procedure.ts';
import type { TaskDryRun } from '../../../src/contract/task.ts';
import { FieldFault, faultOf } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { goTo } from '../pages.ts';
import { Sentence } from '../prompt/Sentence.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { boundWords, labelOf, linesOf } from './procedure-words.ts';

type Props = { item: PersonsProcedure; targetDeviceId: string; model: DashboardModel };

/** Asks for the values, and tries the procedure or runs it. The daemon checks them: a stranger's pattern is not for the browser. */
export function RunForm({ item, targetDeviceId, model: { client } }: Props) {
  const { name, userId, parameters } = item.procedure;
  const [values, setValues] = useState<Record<string, string>>({});
  const [isBusy, setBusy] = useState(false);
  const [tried, setTried] = useState<TaskDryRun>();
  const [failure, setFailure] = useState<Failure>();
  const id = useId();
  const faultAt = (each: string) => failure?.errors?.find(({ pointer }) => pointer === `/parameters/${each}`)?.message;
  const isAtField = Object.keys(parameters).some((each) => faultAt(each) !== undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isRun = submitter instanceof HTMLButtonElement && submitter.value === 'run';
    const intent = { procedure: name, parameters: argumentsOf(parameters, values), targetDeviceId };
    setBusy(true);
    setTried(undefined);
    const answer = await (isRun ? client.runProcedure(userId, intent) : client.tryProcedure(userId, intent));
    setBusy(false);
    setFailure(answer.ok ? undefined : answer.failure);
    if (!answer.ok) return;
    if ('dryRun' in answer.value) setTried(answer.value);
    else goTo({ page: 'activity', subject: answer.value.taskId, filters: new URLSearchParams({ view: 'tasks' }) });
  };
  return (
    <form className="procedure-form" onSubmit={submit} aria-label={`Run ${name}`}>
      {Object.entries(parameters).map(([each, bound]) => (
        <div key={each} className="procedure-value">
          <label htmlFor={`${id}-${each}`}>{labelOf(each)}</label>
          <ValueField
            bound={bound}
            id={`${id}-${each}`}
            value={values[each] ?? ''}
            required
            {...faultOf(`${id}-${each}-fault`, faultAt(each))}
            onChange={({ target }) => {
              setTried(undefined);
              setValues({ ...values, [each]: target.value });
            }}
          />
          <FieldFault id={`${id}-${each}-fault`} fault={faultAt(each)} />
        </div>
      ))}
      <div className="card-buttons">
        <button type="submit" value="try" aria-disabled={isBusy}>
          Try
        </button>
        <button type="submit" value="run" className="primary" aria-disabled={isBusy}>
          Run
        </button>
        <span className="hint">Try finds every name now and does nothing.</span>
      </div>
      <FieldFault id={`${id}-fault`} fault={isAtField ? undefined : failure?.detail} />
      <div role="status">{tried !== undefined && <Tried tried={tried} item={item} />}</div>
    </form>
  );
}

type FieldProps = {
  bound: Bound;
  id: string;
  value: string;
  required: boolean;
  onChange: (event: { target: { value: string } }) => void;
};

function ValueField({ bound, ...field }: FieldProps) {
  const words = visibleText(boundWords(bound));
  if (bound.type === 'choice')
    return (
      <select {...field}>
        <option value="">choose…</option>
        {bound.values.map((each) => (
          <option key={each} value={each}>
            {visibleText(each)}
          </option>
        ))}
      </select>
    );
  const range = bound.type === 'number' && {
    type: 'number',
    min: bound.minimum,
    max: bound.maximum,
    step: bound.isWhole === true ? 1 : 'any',
  };
  return <input {...field} {...range} placeholder={words} title={words} autoComplete="off" spellCheck={false} />;
}

const VERDICT_WORDS = { allow: 'would run', ask: 'would ask you', block: 'would be blocked' } as const;

type StepsProps = { item: PersonsProcedure; label: string; note: (step: StepInWords, number: number) => ReactNode };

/** The numbered steps in words, what is to be said of each, and its expectation folded beside it. */
export function Steps({ item, label, note }: StepsProps) {
  return (
    <ol className="procedure-steps" aria-label={label}>
      {linesOf(item).map(({ number, step, chosen, check }) => (
        <li key={number} data-risk={step.asks ? step.risk : undefined}>
          {number}. <Sentence>{step.sentence}</Sentence>
          {chosen.length > 0 && <span className="hint"> or more: {chosen.map(labelOf).join(', ')}</span>}{' '}
          {note(step, number)}
          {check !== undefined && (
            <details>
              <summary className="hint">Checks afterwards</summary>
              <Sentence>{check.sentence}</Sentence>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What the run would do, step by step, and which control is not there now. */
function Tried({ tried: { steps }, item }: Pick<Props, 'item'> & { tried: TaskDryRun }) {
  const missing = steps.filter((step) => step.missing !== undefined).length;
  return (
    <>
      <p>{missing === 0 ? 'Every name was found.' : `Not found now: ${missing}.`} Nothing was done.</p>
      <Steps
        item={item}
        label="What a run would do"
        note={({ id }) => {
          const { verdict, rule = '', missing: why } = steps.find((step) => step.id === id) ?? {};
          return (
            <>
              <span className="hint">
                · {why === undefined ? verdict && VERDICT_WORDS[verdict] : 'would stop here'}
              </span>
              {(why !== undefined || verdict === 'block') && (
                <p className="field-fault">
                  <VisibleText>{why === undefined ? rule : `Not found: ${why}`}</VisibleText>
                </p>
              )}
            </>
          );
        }}
      />
    </>
  );
}

function argumentsOf(parameters: Record<string, Bound>, values: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(parameters);
  return Object.fromEntries(
    entries.map(([name, { type }]) => [name, type === 'number' ? Number(values[name]) : values[name]]),
  );
}
