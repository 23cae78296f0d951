import { type FormEvent, useId, useState } from 'react';
import type { Reply } from '../../../src/client/reply.ts';
import type { Device } from '../../../src/contract/device.ts';
import type { PersonsProcedure, Procedure } from '../../../src/contract/procedure.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { AllowButton } from '../prompt/AllowButton.tsx';
import { Sentence } from '../prompt/Sentence.tsx';
import { VisibleText } from '../VisibleText.tsx';
import { DeviceField } from './DeviceField.tsx';
import { linesOf, numbersWords, submissionOf, timesWords } from './procedure-words.ts';

const DAYS = [1, 7, 30, 90];
const RUNS = [1, 10, 50, 500];

type Props = { item: PersonsProcedure; devices: readonly Device[]; model: DashboardModel };

/** Approves a procedure as it is shown. Where a step asks by itself, the button is held, as for any grave approval. */
export function ApproveForm({ item, devices, model }: Props) {
  const { procedure } = item;
  const [days, setDays] = useState(7);
  const [runs, setRuns] = useState(10);
  const [targetDeviceId, setDevice] = useState(devices[0]?.id ?? '');
  const [critical, setCritical] = useState<readonly string[]>(procedure.may.critical);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const asking = linesOf(item).filter(({ step }) => step.asks);
  const left = asking.filter(({ step }) => !critical.includes(step.id)).map(({ number }) => number);
  const mark = (stepId: string, isOn: boolean) =>
    setCritical(isOn ? [...critical, stepId] : critical.filter((each) => each !== stepId));
  const approve = async () => {
    if (isBusy) return;
    setBusy(true);
    const terms = { userId: procedure.userId, targetDeviceId, days, runs };
    const answer = await approved(model, { procedure, critical, terms });
    await model.act(Promise.resolve(answer), `“${procedure.name}” is approved.`);
    // The daemon's sentence names what was changed; the page's own is about requests.
    if (!answer.ok && answer.failure.code === 'confirmation_stale') model.notices.problem(answer.failure.detail);
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asking.length === 0) void approve();
  };
  return (
    <form className="procedure-form" onSubmit={submit} aria-label={`Approve ${procedure.name}`}>
      {asking.length > 0 && (
        <fieldset className="rules">
          <legend>Without a question in each run</legend>
          {asking.map(({ number, step }) => (
            <label key={step.id} className="choice">
              <input
                type="checkbox"
                checked={critical.includes(step.id)}
                onChange={({ target }) => mark(step.id, target.checked)}
              />
              <span>
                {number}. <Sentence>{step.sentence}</Sentence> <span className="hint">{step.risk} risk</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div className="procedure-fields">
        <Choice label="For" value={days} values={DAYS} unit="day" onChange={setDays} />
        <Choice label="At most" value={runs} values={RUNS} unit="run" onChange={setRuns} />
        <DeviceField devices={devices} value={targetDeviceId} onChange={setDevice} />
      </div>
      <p>
        You approve: <VisibleText>{procedure.userId}</VisibleText> runs these steps {timesWords(runs)} within{' '}
        {days === 1 ? 'a day' : `${days} days`}
        {left.length === 0
          ? ', and none of them asks you.'
          : `; only ${numbersWords(left)} still ${left.length === 1 ? 'asks' : 'ask'} you in each run.`}
      </p>
      {asking.length === 0 ? (
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Approve
        </button>
      ) : (
        <div className="procedure-hold" data-risk="high">
          <AllowButton
            words="Hold to approve"
            arming={{ state: 'alive', canDeny: true }}
            isAlive={!isBusy}
            mustBeHeld
            hintId={id}
            onPress={async () => true}
            onAllow={() => void approve()}
          />
          <p className="hint" id={id}>
            Press for a second, then let go; on the keyboard, hold A.
          </p>
        </div>
      )}
    </form>
  );
}

type Terms = { userId: string; targetDeviceId: string; days: number; runs: number };
type Wanted = { procedure: Procedure; critical: readonly string[]; terms: Terms };

/** What may do without a question is part of the procedure, so another choice is its next version, made of the one that was shown. */
async function approved({ client }: DashboardModel, { procedure, critical, terms }: Wanted): Promise<Reply<unknown>> {
  const { name, userId, digest, may } = procedure;
  const isAsShown = critical.length === may.critical.length && critical.every((id) => may.critical.includes(id));
  // Nothing is kept over a version that nobody has read; this answer says so.
  if (isAsShown || !(await isCurrent(client, procedure))) return client.approveProcedure(name, { ...terms, digest });
  const chosen = { ...submissionOf(procedure), may: { ...may, critical: [...critical] } };
  const kept = await client.keepProcedure(userId, chosen);
  return kept.ok ? client.approveProcedure(name, { ...terms, digest: kept.value.digest }) : kept;
}

async function isCurrent(client: DashboardModel['client'], { userId, name, digest }: Procedure): Promise<boolean> {
  const listed = await client.procedures();
  return listed.ok && listed.value.items.some(({ procedure }) => isSame(procedure) && procedure.digest === digest);

  function isSame(other: Procedure): boolean {
    return other.userId === userId && other.name === name;
  }
}

type ChoiceProps = {
  label: string;
  value: number;
  values: readonly number[];
  unit: string;
  onChange: (value: number) => void;
};

function Choice({ label, value, values, unit, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(Number(target.value))}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each === 1 ? `1 ${unit}` : `${each} ${unit}s`}
          </option>
        ))}
      </select>
    </span>
  );
}
