import { useState } from 'react';
import type { Device } from '../../../src/contract/device.ts';
import { behindMachine } from '../../../src/contract/machine-rules.ts';
import type { PersonsProcedure } from '../../../src/contract/procedure.ts';
import { toneOf } from '../activity/activity-words.ts';
import { taskStatusWords } from '../activity/task-words.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { download } from '../download.ts';
import { Quoted } from '../Quoted.tsx';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { ApproveForm } from './ApproveForm.tsx';
import { Choice } from './Choice.tsx';
import { boundWords, countOf, labelOf, leftWords, runsWords, submissionOf } from './procedure-words.ts';
import { RunForm } from './RunForm.tsx';
import { Steps } from './Steps.tsx';

type Props = { item: PersonsProcedure; devices: readonly Device[]; model: DashboardModel };

/** A procedure with its last result and its approvals. It unfolds. */
export function ProcedureCard({ item, devices, model }: Props) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow(30_000);
  const { procedure, runs, approvals } = item;
  const { name, version, digest, steps } = procedure;
  const revoke = (id: string) => model.act(model.client.revoke(id), `The approval of “${name}” is revoked.`);
  return (
    <li className="card procedure" aria-label={name}>
      <div className="card-head">
        <h3>
          <Quoted>{name}</Quoted>
        </h3>
        {runs.latest !== undefined && (
          <span className={`status ${toneOf(runs.latest)}`}>last run: {taskStatusWords(runs.latest)}</span>
        )}
      </div>
      <p className="hint">
        {runsWords(runs)} · version {version}
        {approvals.length === 0 && ' · not approved: each run asks you'}
      </p>
      {approvals.map((approval) => (
        <div key={approval.grantId} className="card-head">
          <span>
            <span className="badge good">Approved</span> {leftWords(approval, now)}
            {devices.length > 1 && ` on ${nameOf(devices.find(({ id }) => id === approval.targetDeviceId))}`}
          </span>
          <button
            type="button"
            aria-label={`Revoke the approval of ${name}`}
            onClick={() => void revoke(approval.grantId)}
          >
            Revoke
          </button>
        </div>
      ))}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{countOf(steps.length, 'step')}</summary>
        {/* What was changed since is another procedure: whatever was filled in or held is over. */}
        {isOpen && <Opened key={digest} item={item} devices={devices} model={model} />}
      </details>
    </li>
  );
}

function nameOf(device: Device | undefined): string {
  return visibleText(behindMachine(device?.machine, device?.name ?? ''));
}

function Opened({ item, devices, model }: Props) {
  const [form, setForm] = useState<'run' | 'approve'>();
  const [device, setDevice] = useState<string>();
  const { name, userId, description, parameters, may } = item.procedure;
  const [critical, setCritical] = useState<readonly string[]>(may.critical);
  const targetDeviceId = device ?? devices[0]?.id;
  const remove = () => model.act(model.client.removeProcedure(userId, name), `The procedure “${name}” is removed.`);
  const save = () =>
    download(new Blob([JSON.stringify(submissionOf(item.procedure), null, 2)]), `procedure ${name}.json`);
  const toggle = (each: 'run' | 'approve') => ({
    'aria-expanded': form === each,
    onClick: () => setForm(form === each ? undefined : each),
  });
  const mark = (id: string) =>
    setCritical(critical.includes(id) ? critical.filter((each) => each !== id) : [...critical, id]);
  return (
    <div className="procedure-form">
      {description !== undefined && (
        <p className="hint">
          It says of itself: <Quoted>{description}</Quoted>
        </p>
      )}
      <Steps
        item={item}
        label={`Steps of ${name}`}
        note={({ id, risk, asks }, number) =>
          asks && (
            <span className="procedure-risk">
              {risk} risk
              {form === 'approve' ? (
                <label className="choice">
                  <input type="checkbox" checked={critical.includes(id)} onChange={() => mark(id)} />
                  <span className="visually-hidden">Step {number}: </span>without a question
                </label>
              ) : (
                ` · ${may.critical.includes(id) ? 'an approval covers it' : 'asks in each run'}`
              )}
            </span>
          )
        }
      />
      <ul aria-label={`Values of ${name}`}>
        {Object.entries(parameters).map(([each, bound]) => (
          <li key={each}>
            {labelOf(each)}: <VisibleText>{boundWords(bound)}</VisibleText>
          </li>
        ))}
      </ul>
      <p className="hint">A run takes at most {may.minutes} min.</p>
      <div className="card-buttons">
        <button type="button" {...toggle('run')}>
          Try or run…
        </button>
        <button type="button" {...toggle('approve')}>
          Approve…
        </button>
        <button type="button" onClick={save}>
          Export
        </button>
        <button type="button" onClick={() => void remove()}>
          Remove
        </button>
      </div>
      {form !== undefined && devices.length > 1 && (
        <Choice
          label="On"
          value={targetDeviceId}
          options={devices.map((each) => [each.id, nameOf(each)])}
          onChange={setDevice}
        />
      )}
      {form !== undefined && targetDeviceId === undefined && <p>Its requester has no device to run it on.</p>}
      {form === 'run' && targetDeviceId !== undefined && <RunForm {...{ item, targetDeviceId, model }} />}
      {form === 'approve' && targetDeviceId !== undefined && (
        <ApproveForm {...{ item, targetDeviceId, critical, model }} />
      )}
    </div>
  );
}
