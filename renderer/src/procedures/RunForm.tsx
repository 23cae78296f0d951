import { type FormEvent, useId, useState } from 'react';
import type { Failure } from '../../../src/client/reply.ts';
import type { Device } from '../../../src/contract/device.ts';
import type { Bound, PersonsProcedure } from '../../../src/contract/procedure.ts';
import type { TaskDryRun } from '../../../src/contract/task.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { Sentence } from '../prompt/Sentence.tsx';
import { visibleText } from '../prompt/visible-text.ts';
import { goTo } from '../use-place.ts';
import { VisibleText } from '../VisibleText.tsx';
import { DeviceField } from './DeviceField.tsx';
import { boundWords, labelOf, linesOf } from './procedure-words.ts';

type Props = { item: PersonsProcedure; devices: readonly Device[]; model: DashboardModel };

/** Asks for the values, and tries the procedure or runs it. The daemon checks them: a pattern of a stranger is not for the browser. */
export function RunForm({ item, devices, model }: Props) {
  const { name, userId, parameters } = item.procedure;
  const [values, setValues] = useState<Record<string, string>>(() => firstValues(parameters));
  const [targetDeviceId, setDevice] = useState(devices[0]?.id ?? '');
  const [isBusy, setBusy] = useState(false);
  const [tried, setTried] = useState<TaskDryRun>();
  const [failure, setFailure] = useState<Failure>();
  const id = useId();
  const faultAt = (each: string) => failure?.errors?.find(({ pointer }) => pointer === `/parameters/${each}`)?.message;
  const isTold = Object.keys(parameters).some((each) => faultAt(each) !== undefined);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isRun = submitter instanceof HTMLButtonElement && submitter.value === 'run';
    const intent = { procedure: name, parameters: argumentsOf(parameters, values), targetDeviceId };
    setBusy(true);
    setTried(undefined);
    const answer = isRun
      ? await model.client.runProcedure(userId, intent)
      : await model.client.tryProcedure(userId, intent);
    setBusy(false);
    setFailure(answer.ok ? undefined : answer.failure);
    if (!answer.ok) return;
    if ('dryRun' in answer.value) setTried(answer.value);
    else goTo({ page: 'activity', subject: answer.value.taskId, filters: new URLSearchParams({ view: 'tasks' }) });
  };
  return (
    <form className="procedure-form" onSubmit={submit} aria-label={`Run ${name}`}>
      {Object.entries(parameters).map(([each, bound]) => (
        <span key={each} className="procedure-value">
          <label htmlFor={`${id}-${each}`}>
            <VisibleText>{labelOf(each)}</VisibleText>
          </label>
          <ValueField
            id={`${id}-${each}`}
            bound={bound}
            value={values[each] ?? ''}
            fault={faultAt(each)}
            onChange={(value) => setValues({ ...values, [each]: value })}
          />
          <FieldFault id={`${id}-${each}-fault`} fault={faultAt(each)} />
        </span>
      ))}
      <DeviceField devices={devices} value={targetDeviceId} onChange={setDevice} />
      <div className="card-buttons">
        <button type="submit" value="try" aria-disabled={isBusy}>
          Try
        </button>
        <button type="submit" value="run" className="primary" aria-disabled={isBusy}>
          Run
        </button>
        <span className="hint">Try finds every name now and does nothing.</span>
      </div>
      <FieldFault id={`${id}-fault`} fault={isTold ? undefined : failure?.detail} />
      <div role="status">
        {tried !== undefined && <Tried tried={tried} item={item} targetDeviceId={targetDeviceId} />}
      </div>
    </form>
  );
}

type FieldProps = {
  id: string;
  bound: Bound;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
};

function ValueField({ id, bound, value, fault, onChange }: FieldProps) {
  const shared = { id, value, required: true, ...faultOf(`${id}-fault`, fault) };
  const words = visibleText(boundWords(bound));
  if (bound.type === 'choice')
    return (
      <select {...shared} onChange={({ target }) => onChange(target.value)}>
        {bound.values.map((each) => (
          <option key={each} value={each}>
            {visibleText(each)}
          </option>
        ))}
      </select>
    );
  const kind =
    bound.type === 'number'
      ? { type: 'number', min: bound.minimum, max: bound.maximum, step: bound.isWhole === true ? 1 : 'any' }
      : { type: 'text', ...(bound.type === 'text' && { maxLength: bound.maxLength }) };
  return (
    <input
      {...shared}
      {...kind}
      onChange={({ target }) => onChange(target.value)}
      placeholder={words}
      title={words}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

const VERDICT_WORDS = { allow: 'would run', ask: 'would ask you', block: 'would be blocked' } as const;

/** What the run would do, step by step, and which control is not there now. */
function Tried({ tried, item, targetDeviceId }: { tried: TaskDryRun; item: PersonsProcedure; targetDeviceId: string }) {
  const { procedure, approvals } = item;
  const isApproved = approvals.some((approval) => approval.targetDeviceId === targetDeviceId);
  const told = new Map(tried.steps.map((step) => [step.id, step]));
  const missing = tried.steps.filter((step) => step.missing !== undefined).length;
  return (
    <>
      <p>
        {missing === 0
          ? 'Every name was found.'
          : `${missing === 1 ? 'One name was' : `${missing} names were`} not found now.`}{' '}
        Nothing was done.
      </p>
      <ol className="procedure-steps" aria-label="What a run would do">
        {linesOf(item).map(({ number, step }) => {
          const { verdict = 'ask', rule = '', missing: why } = told.get(step.id) ?? {};
          const isCovered = verdict === 'ask' && isApproved && (!step.asks || procedure.may.critical.includes(step.id));
          return (
            <li key={number} className="procedure-step">
              <p>
                {number}. <Sentence>{step.sentence}</Sentence>{' '}
                <span className="hint">{isCovered ? 'would run: you approved it' : VERDICT_WORDS[verdict]}</span>
              </p>
              {verdict === 'block' && (
                <p className="hint">
                  <VisibleText>{rule}</VisibleText>
                </p>
              )}
              {why !== undefined && (
                <p className="procedure-missing">
                  Not found: <VisibleText>{why}</VisibleText>
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function firstValues(parameters: Record<string, Bound>): Record<string, string> {
  const chosen = Object.entries(parameters).map(([name, bound]) => [
    name,
    bound.type === 'choice' ? (bound.values[0] ?? '') : '',
  ]);
  return Object.fromEntries(chosen);
}

function argumentsOf(parameters: Record<string, Bound>, values: Record<string, string>): Record<string, unknown> {
  const given = Object.entries(parameters).map(([name, { type }]) => {
    const value = values[name] ?? '';
    return [name, type === 'number' ? Number(value) : value];
  });
  return Object.fromEntries(given);
}
